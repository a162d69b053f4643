// Keyboard focus, kept in its place while a part of the page is drawn again.

/** Draw inside a container; the element with the same data-key as the focused one before gets the focus back. */
export function keepFocus(container, draw) {
  const held = container.contains(document.activeElement) ? document.activeElement.dataset?.key : undefined;
  draw();
  if (held === undefined) return;
  const again = container.querySelector(`[data-key="${CSS.escape(held)}"]`);
  const others = [...container.querySelectorAll("button:not(:disabled), summary, [tabindex='0']")];
  const target = again && !again.disabled ? again : others.find((one) => one.checkVisibility());
  // Where nothing can be pressed, the place itself keeps the focus, so that Tab goes on from there.
  if (!target) container.tabIndex = -1;
  (target ?? container).focus({ preventScroll: !target });
}
