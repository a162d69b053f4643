// The screen around the deck builder of Lanes (`tables/lanes-decks.js`): opens a room against a bot with the deck built.

import { post } from "../lib/api.js";
import { el, show, t } from "../lib/dom.js";
import { loadExtras, loadModule } from "../common/frame.js";
import { getReady } from "../common/seats.js";

export async function decksScreen(root, page) {
  const [builder, extras] = await Promise.all([loadModule("lanes-decks"), loadExtras("lanes")]);
  const felt = el("div", { class: "felt" });
  const roomWith = (ids) => ({ game: "lanes", seats: 2, bots: ["greedy"], options: { deck_y: ids } });
  const use = (ids) => post("/rooms", roomWith(ids)).then((room) => getReady(room)).then(page.enter, page.complain);
  show(root, el("h1", {}, t`Decks for Lanes`), felt);
  const mounted = builder.mount(felt, { game: { extras }, say: page.say, use });
  return () => mounted?.destroy?.();
}
