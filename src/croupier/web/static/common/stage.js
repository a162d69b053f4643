// The stage: a table is laid out at its own size and then made as large as the room there is, never larger. The felt says
// which shape that room has (`data-shape`): wide, tall like a phone, or flat like a phone on its side.

const LEAST = 0.5;
const MOST = 2.2;
const STEPS = 7;

function shapeOf(width, height) {
  if (height < 330 && width > 1.6 * height) return "flat";
  return width < 1.1 * height || width < 620 ? "tall" : "wide";
}

/** Keep what stands in `play` as large as fits. `felt` gets the shape, and an event "shape" when it changes. Returns how to stop. */
export function fitStage(felt, play) {
  let size = "";

  const inner = () => play.firstElementChild;
  const setScale = (scale) => inner().style.setProperty("zoom", String(scale));
  const overflows = () => {
    const [box, room] = [inner().getBoundingClientRect(), play.getBoundingClientRect()];
    return box.height > room.height + 1 || box.width > room.width + 1 || inner().scrollWidth > inner().clientWidth + 1;
  };

  function fit() {
    const [width, height] = [play.clientWidth, play.clientHeight];
    if (!inner() || !width || !height) return;
    const shape = shapeOf(width, height);
    if (felt.dataset.shape !== shape) {
      felt.dataset.shape = shape;
      felt.dispatchEvent(new Event("shape"));
    }
    let [low, high] = [LEAST, MOST];
    setScale(high);
    if (!overflows()) return;
    for (let step = 0; step < STEPS; step += 1) {
      const middle = (low + high) / 2;
      setScale(middle);
      if (overflows()) high = middle;
      else low = middle;
    }
    setScale(low);
  }

  // What lies on the table comes and goes: it shrinks when it must, and grows again only with its room, or it would sway.
  const watch = new ResizeObserver(() => {
    const now = `${play.clientWidth}/${play.clientHeight}`;
    if (now === size && !overflows()) return;
    size = now;
    fit();
  });
  watch.observe(play);
  if (inner()) watch.observe(inner());
  fit();
  return () => watch.disconnect();
}
