// A table for any game: its state as panels, its legal actions as buttons, and forms for those with something to fill in.

import { chips, el, show, t } from "../lib/dom.js";
import { Buttons } from "../common/buttons.js";
import { isActive, lineOf, newsOf, outcomeOf, sentence, stakeOn } from "../common/card-round.js";
import { isMyTurn, nameOf, resultWords, turnWords } from "../common/players.js";
import { makeForm } from "../generic/form.js";
import { panel, wordsFor } from "../generic/panels.js";

export const css = ["generic.css"];

const BUTTONS_MAX = 30; // more ways than that to do one thing are filled in, not pressed
// What every house game has, told by the shell, and the numbers of a draw, told by the words of the last action.
const HOUSE = new Set(["money", "stake", "super_mode", "lit", "find"]);

/** Return a payload in words: { tiles: [3, 4] } is "3, 4"; several fields are named. */
function payloadWords(payload) {
  const entries = Object.entries(payload ?? {});
  const value = (part) =>
    Array.isArray(part) ? part.map(value).join(", ") || "none" : part !== null && typeof part === "object" ? JSON.stringify(part) : wordsFor(part);
  if (entries.length === 1) return value(entries[0][1]);
  return entries.map(([key, part]) => `${wordsFor(key)} ${value(part)}`).join(", ");
}

function mount(root, ctx) {
  const buttons = new Buttons(ctx);
  const heading = el("p", { class: "table-banner" });
  const seats = el("ul", { class: "generic-seats", "aria-label": t`Players` });
  const panels = el("div", { class: "generic-panels" });
  const spots = el("div", { class: "generic-spots", role: "group", "aria-label": t`Bets` });
  const forms = el("div", { class: "generic-forms" });
  const opensWithStake = ctx.game.opens_with_stake !== false;
  let state = null;
  let drawn = ""; // forms are kept while what they ask for stays the same

  show(root, el("div", { class: "card-table generic" }, heading, seats, panels, spots, forms));
  ctx.memory.stake ??= Math.max(ctx.limits?.min ?? 1, ctx.chip ?? 1);

  const schemaOf = (type) => ctx.game.actions?.[type]?.payload ?? ctx.game.actions?.[type] ?? {};
  const docOf = (type) => ctx.game.actions?.[type]?.doc ?? "";
  const hasFields = (type) => Object.keys(schemaOf(type).properties ?? {}).length > 0;

  // Legal actions by type: { type, payloads, ranges }.
  function kinds() {
    const found = new Map();
    for (const { type, payload } of state?.legal ?? []) found.set(type, [...(found.get(type) ?? []), payload ?? {}]);
    if (!found.size) for (const type of Object.keys(state?.ranges ?? {})) found.set(type, []);
    return [...found].map(([type, payloads]) => ({ type, payloads, ranges: state.ranges?.[type] ?? null }));
  }

  // Chips on a bet: pressed bet by bet, with the chip of the tray, instead of filled in.
  const isSpot = ({ type, payloads }) => payloads.length > 0 && Object.keys(schemaOf(type).properties ?? {}).sort().join() === "bet,stake";
  const isForm = (kind) => hasFields(kind.type) && !isSpot(kind) && (Boolean(kind.ranges) || kind.payloads.length > BUTTONS_MAX);

  function choices() {
    if (ctx.begin && !isActive(state)) {
      const stake = ctx.memory.stake;
      return [
        {
          id: "begin",
          label: state ? t`Play again` : t`Begin`,
          key: "n",
          isPrimary: true,
          run: () => ctx.begin(opensWithStake ? { stake: Number(stakeInput?.value ?? stake) } : {}),
        },
      ];
    }
    if (!isMyTurn(state)) return [];
    return kinds()
      .filter((kind) => !isForm(kind) && !isSpot(kind))
      .flatMap(({ type, payloads }) =>
        payloads.map((payload, index) => ({
          id: payloads.length > 1 ? `${type}-${index}` : type,
          label: wordsFor(type),
          note: payloadWords(payload),
          hint: docOf(type).split("\n")[0],
          isPrimary: payloads.length === 1,
          run: () => ctx.act(type, payload),
        })),
      );
  }

  let stakeInput = null;
  function beginForm() {
    if (!opensWithStake) return (stakeInput = null);
    stakeInput = el("input", {
      type: "number",
      min: String(ctx.limits?.min ?? 1),
      max: Number.isFinite(ctx.limits?.max) ? String(ctx.limits.max) : null,
      value: String(ctx.memory.stake),
      onchange: () => (ctx.memory.stake = Number(stakeInput.value)),
    });
    return el(
      "form",
      { class: "generic-form", onsubmit: (event) => event.preventDefault() },
      el("label", { class: "generic-field" }, el("span", {}, t`Stake`), stakeInput),
    );
  }

  function actionForm({ type, payloads, ranges }) {
    const form = makeForm(schemaOf(type), payloads, ranges);
    return el(
      "form",
      {
        class: "generic-form",
        dataset: { action: type },
        onsubmit: (event) => {
          event.preventDefault();
          buttons.run({ run: () => ctx.act(type, form.read()) });
        },
      },
      el("h2", {}, wordsFor(type)),
      docOf(type) ? el("p", { class: "generic-doc" }, docOf(type).split("\n")[0]) : null,
      form.element,
      el("button", { type: "submit", class: "table-button table-primary" }, wordsFor(type)),
    );
  }

  function drawForms() {
    const isBetween = Boolean(ctx.begin) && !isActive(state);
    const wanted = isBetween || !isMyTurn(state) ? [] : kinds().filter(isForm);
    const sign = JSON.stringify([isBetween, wanted.map(({ type, ranges }) => [type, ranges])]);
    if (sign === drawn) return;
    drawn = sign;
    show(forms, isBetween ? [beginForm()] : wanted.map(actionForm));
  }

  function drawSpots() {
    const kind = isActive(state) && isMyTurn(state) ? kinds().find(isSpot) : null;
    const offered = kind ? [...new Set(kind.payloads.map(({ bet }) => bet))] : [];
    const settled = state?.view.game.money?.lines.map(({ bet }) => bet) ?? [];
    const focused = spots.contains(document.activeElement) ? document.activeElement.dataset.bet : null;
    show(
      spots,
      (isActive(state) ? offered : settled).map((bet) => {
        const line = lineOf(state, bet);
        const laid = stakeOn(state, bet);
        const note = line ? outcomeOf(line) : { text: laid ? chips(laid) : "", tone: "even" };
        return el(
          "button",
          {
            type: "button",
            class: `generic-spot is-${note.tone}`,
            disabled: !kind,
            dataset: { bet },
            "aria-label": [wordsFor(bet), note.text].filter(Boolean).join(", "),
            onclick: () => buttons.run({ run: () => ctx.act(kind.type, { bet, stake: ctx.chip }) }),
          },
          el("span", {}, wordsFor(bet)),
          el("b", {}, note.text),
        );
      }),
    );
    if (focused !== null) spots.querySelector(`[data-bet="${CSS.escape(focused)}"]`)?.focus();
  }

  function drawSeats() {
    if (!state || state.view.players.length < 2) return show(seats);
    const { turn, result, players } = state.view;
    return show(
      seats,
      players.map((player) =>
        el(
          "li",
          { class: player.id === turn.current && isActive(state) ? "is-turn" : null },
          nameOf(ctx, state, player.id),
          player.is_bot ? t` (bot)` : "",
          player.id === turn.current && isActive(state) ? el("span", {}, t` to play`) : null,
          result?.scores?.[player.id] === undefined ? null : el("b", {}, ` ${wordsFor(result.scores[player.id])}`),
          result?.winners?.includes(player.id) ? el("span", {}, t` won`) : null,
        ),
      ),
    );
  }

  function drawPanels() {
    if (!state) return show(panels, el("p", {}, ctx.game.description ?? ""));
    const { game, players } = state.view;
    const names = Object.fromEntries(players.map((player) => [player.id, nameOf(ctx, state, player.id)]));
    const bySeat = [...players].sort((one, other) => one.seat - other.seat).map((player) => names[player.id]);
    const parts =
      game !== null && typeof game === "object" && !Array.isArray(game)
        ? Object.entries(game).filter(([key]) => !(HOUSE.has(key) && state.kind === "session")) : [["state", game]];
    const loose = parts.filter(([, part]) => part === null || typeof part !== "object");
    const rest = parts.filter(([, part]) => part !== null && typeof part === "object" && Object.keys(part).length > 0);
    return show(
      panels,
      loose.length ? el("section", { class: "generic-panel" }, panel(Object.fromEntries(loose), { names })) : null,
      rest.map(([key, part]) => el("section", { class: "generic-panel" }, el("h2", {}, wordsFor(key)), panel(part, { names, seats: bySeat }))),
    );
  }

  // The last words of the log tell what was drawn and what it came to, where the game has words for it.
  function endWords() {
    const reason = state.view.result.reason;
    return state.logs?.findLast((line) => line.includes(reason)) ?? reason;
  }

  function headingWords() {
    if (!state) return [wordsFor(ctx.game.name ?? ctx.game.id)];
    if (state.view.result)
      return [el("span", { class: "is-good" }, sentence(state.kind === "session" ? endWords() : resultWords(ctx, state)))];
    const phase = state.view.turn.phase;
    return [el("span", {}, turnWords(ctx, state)), phase ? el("small", {}, wordsFor(phase)) : null];
  }

  function update(next, before) {
    state = next;
    show(heading, headingWords());
    drawSeats();
    drawPanels();
    drawSpots();
    drawForms();
    buttons.show(choices());
    if (!state || !before || before === state) return;
    const words = newsOf(state, before).map(sentence);
    words.push(state.view.result ? resultWords(ctx, state) : turnWords(ctx, state));
    ctx.say(words.filter(Boolean).join(". "));
  }

  return { update, headline: (next) => (next?.view.result ? "" : undefined), destroy: () => buttons.destroy() };
}

export default { layout: "board", mount };
