// The deck builder of lanes: all cards, the deck so far, what is wrong with it, and decks kept in this browser.

import { el, show, t } from "../lib/dom.js";
import { keepFocus } from "../common/focus.js";
import { drawLanesCard, factionOf } from "../draw/lanes-cards.js";
import { copiesMax, deckProblems, deckWarnings, DECK_SIZE, dropDeck, savedDecks, saveDeck } from "../lanes/decks.js";
import { handCard } from "../lanes/hand.js";

export const css = ["lanes.css", "lanes-decks.css"];

const COSTS = [1, 2, 3, "replace"];

/**
 * Mount the builder. `ctx.game.extras` has cards, factions and decks; `ctx.use(ids, name)`, where it is given, hears that
 * a deck shall be played; `ctx.say` speaks.
 */
function mount(root, ctx) {
  const { cards: list = [], factions = [], decks = [] } = ctx.game.extras ?? {};
  const cards = new Map(list.map((card) => [card.id, card]));
  const say = (text) => ctx.say?.(text);
  let ids = [];
  let filters = { faction: "", cost: "" };

  const detail = el("div", { class: "lanes-detail", dataset: { hint: t`Choose a card to read it here.` } });
  const gallery = el("div", { class: "lanes-gallery", role: "group", "aria-label": t`All cards` });
  const chosen = el("div", { class: "lanes-deck", role: "group", "aria-label": t`Your deck` });
  const notes = el("ul", { class: "lanes-notes" });
  const count = el("p", { class: "lanes-count", role: "status" });
  const curve = el("p", { class: "lanes-curve" });
  const name = el("input", { type: "text", maxlength: "40", value: t`My deck`, "aria-label": t`Name of the deck` });
  const from = el("select", { "aria-label": t`Begin with a deck`, onchange: () => load(from.value) });
  const actions = el("div", { class: "table-buttons" });

  show(
    root,
    el(
      "div",
      { class: "lanes-builder" },
      el(
        "section",
        { class: "lanes-builder-deck", "aria-label": t`The deck` },
        el("div", { class: "lanes-builder-row" }, name, from),
        count,
        curve,
        chosen,
        notes,
        actions,
      ),
      el("section", { class: "lanes-builder-cards", "aria-label": t`The cards` }, filterRow(), gallery),
      detail,
    ),
  );

  function filterRow() {
    const select = (label, key, options) =>
      el(
        "label",
        {},
        `${label} `,
        el(
          "select",
          { onchange: (event) => ((filters = { ...filters, [key]: event.target.value }), drawGallery()) },
          el("option", { value: "" }, t`all`),
          options.map(([value, text]) => el("option", { value }, text)),
        ),
      );
    return el(
      "div",
      { class: "lanes-builder-row" },
      select(t`People`, "faction", factions.map((faction) => [faction.id, faction.title])),
      select(t`Cost`, "cost", COSTS.map((cost) => [String(cost), cost === "replace" ? "replace" : `${cost}`])),
    );
  }

  const copies = (id) => ids.filter((one) => one === id).length;

  function add(card) {
    show(detail, drawLanesCard(card, factions));
    if (copies(card.id) >= copiesMax(card)) say(t`${card.name}: no more than ${copiesMax(card)}.`);
    else if (ids.length >= DECK_SIZE) say(t`The deck is full.`);
    else {
      ids = [...ids, card.id];
      say(t`${card.name} is in: ${ids.length} of ${DECK_SIZE}.`);
    }
    draw();
  }

  function remove(id) {
    const at = ids.indexOf(id);
    ids = ids.filter((_, index) => index !== at);
    say(t`${cards.get(id).name} is out: ${ids.length} of ${DECK_SIZE}.`);
    draw();
  }

  function load(value) {
    if (!value) return;
    const saved = value.startsWith("saved:") ? savedDecks().find((deck) => deck.name === value.slice(6)) : null;
    const known = decks.find((deck) => deck.id === value);
    ids = [...(saved ?? known ?? { cards: [] }).cards].filter((id) => cards.has(id));
    name.value = saved?.name ?? (known ? t`${known.title}, mine` : name.value);
    say(t`${saved?.name ?? known?.title}: ${ids.length} cards.`);
    draw();
  }

  function drawGallery() {
    const wanted = list.filter(
      (card) =>
        card.tier !== "token" && (!filters.faction || card.faction === filters.faction) && (!filters.cost || String(card.cost) === filters.cost),
    );
    keepFocus(gallery, () =>
      show(
        gallery,
        wanted.map((card) => {
          const have = copies(card.id);
          return handCard(
            card,
            factions,
            {
              class: have ? "is-chosen" : "",
              dataset: { key: card.id, id: card.id },
              onclick: () => add(card),
              onfocus: () => show(detail, drawLanesCard(card, factions)),
              onpointerenter: () => show(detail, drawLanesCard(card, factions)),
            },
            el("span", { class: "lanes-gallery-text" }, card.text),
            el("span", { class: "lanes-copies" }, t`${have} of ${copiesMax(card)}`),
          );
        }),
      ),
    );
  }

  function drawDeck() {
    const order = [...new Set(ids)].sort((one, other) => list.findIndex((card) => card.id === one) - list.findIndex((card) => card.id === other));
    keepFocus(chosen, () =>
      show(
        chosen,
        order.map((id) => {
          const card = cards.get(id);
          const row = el(
            "button",
            {
              type: "button",
              class: "lanes-deck-card",
              dataset: { key: id },
              "aria-label": t`Take out ${card.name}, ${copies(id)} in the deck`,
              onclick: () => remove(id),
            },
            el("b", {}, `${copies(id)}×`),
            el("span", {}, card.name),
            el("span", {}, card.cost === "replace" ? "replace" : t`cost ${card.cost}`),
            el("span", { "aria-hidden": "true" }, "−"),
          );
          row.style.setProperty("--faction", factionOf(card, factions).colour);
          return row;
        }),
      ),
    );
  }

  function drawActions(problems) {
    const isDeck = !problems.length;
    const button = (label, isOff, run, kind = "") =>
      el("button", { type: "button", class: `table-button ${kind}`, disabled: isOff, onclick: run }, label);
    const isSaved = savedDecks().some((deck) => deck.name === name.value.trim());
    show(actions, [
      button(
        t`Keep`,
        !ids.length || !name.value.trim(),
        () => (saveDeck(name.value.trim(), ids), say(t`Kept in this browser.`), draw()),
        "table-primary",
      ),
      ctx.use ? button(t`Play with it`, !isDeck, () => ctx.use([...ids], name.value.trim()), "table-primary") : null,
      button(t`Empty`, !ids.length, () => ((ids = []), say(t`The deck is empty.`), draw())),
      isSaved ? button(t`Forget`, false, () => (dropDeck(name.value.trim()), say(t`Forgotten.`), draw())) : null,
    ]);
  }

  function draw() {
    const problems = deckProblems(ids, cards);
    const warnings = ids.length ? deckWarnings(ids, cards) : [];
    count.textContent = t`${ids.length} of ${DECK_SIZE} cards${problems.length ? "" : t`: a deck`}`;
    curve.textContent = COSTS.map(
      (cost) => `${cost === "replace" ? "replace" : t`cost ${cost}`}: ${ids.filter((id) => cards.get(id)?.cost === cost).length}`,
    ).join(" · ");
    show(notes, [...problems.filter((text) => !text.startsWith("A deck is")), ...warnings].map((text) => el("li", {}, text)));
    show(
      from,
      el("option", { value: "" }, t`Begin with …`),
      decks.map((deck) => el("option", { value: deck.id }, deck.title)),
      savedDecks().map((deck) => el("option", { value: `saved:${deck.name}` }, t`${deck.name} (kept)`)),
    );
    drawGallery();
    drawDeck();
    drawActions(problems);
  }

  name.addEventListener("input", () => drawActions(deckProblems(ids, cards)));
  draw();
  return { update() {}, destroy() {} };
}

export default { layout: "board", mount };
