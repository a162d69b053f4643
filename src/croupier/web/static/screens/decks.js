// The deck builder of Lanes, with a way to play what was built.

import { newClientSeed, post } from "../lib/api.js";
import { el, show } from "../lib/dom.js";
import { keepCommitment } from "../lib/keep.js";
import { loadExtras, loadModule } from "../common/frame.js";

export async function decksScreen(root, page) {
  const [builder, extras] = await Promise.all([loadModule("lanes-decks"), loadExtras("lanes")]);
  const felt = el("div", { class: "felt" });
  const use = async (ids) => {
    const seed = newClientSeed();
    try {
      const room = await post("/rooms", {
        game: "lanes",
        seats: 2,
        bots: ["greedy"],
        options: { deck_y: ids },
        client_seed: seed,
        ready: true,
      });
      keepCommitment("room", room.id, room.commitment, seed);
      page.go(`room/${room.id}`);
    } catch (error) {
      page.complain(error);
    }
  };
  show(root, el("h1", {}, "Decks for Lanes"), felt);
  const mounted = builder.mount(felt, { game: { extras }, say: page.say, use });
  return () => mounted?.destroy?.();
}
