// Replay of a finished session or match, step by step, with its proof: by its number, by a link, or from a file alone.

import { get } from "../lib/api.js";
import { el, show, t } from "../lib/dom.js";
import { dateTime } from "../lib/numbers.js";
import { keptFile } from "../lib/keep.js";
import { readReplay, writeReplay } from "../lib/replay-file.js";
import { showProof } from "../common/proof.js";
import { saveFile, shareButton } from "../common/share.js";
import { roomProof, sessionProof, shared, sharedProof } from "../common/sources.js";
import { makeStepper } from "../common/stepper.js";

const HEADS = {
  no_such_session: t`There is no such round behind this link, or its player has left.`,
  no_longer_kept: t`This round was played so long ago that this house does not keep it any more.`,
  no_such_room: t`There is no such match, or it is not for watching.`,
  not_finished: t`The match is not over yet. When it is, this link shows it.`,
};

async function fetchReplay(page, kind, id, token) {
  if (kind === "room") {
    const room = await get(`/rooms/${encodeURIComponent(id)}`);
    if (room.status !== "finished") throw Object.assign(new Error(), { code: "not_finished" });
    const [game, source] = await Promise.all([get(`/games/${room.game}`), roomProof(room)]);
    const names = Object.fromEntries(room.seats.map((seat) => [seat.player_id, seat.name]));
    const me = room.seat === null ? null : room.seats[room.seat].player_id;
    return { game, source, names, me, title: room.seats.map((seat) => seat.name).join(", "), dice: room.has_shared_dice };
  }
  const session = kind === "shared" ? await shared(token).get(`/shared/${id}`) : await get(`/sessions/${id}`);
  const game = await get(`/games/${session.game}`);
  const source = kind === "shared" ? await sharedProof(id, token, game) : await sessionProof(session, game, page.account.id);
  return { game, source, names: {}, me: source.steps?.[0].view.viewer ?? null, title: source.steps?.[0].at ? dateTime(source.steps[0].at) : "" };
}

/** Put a replay on the page: the table with its steps, what can be done with it, and the proof beside it. */
async function showReplay(root, page, { game, source, names, me, title, dice }) {
  const { steps } = source;
  const name = game?.summary?.name ?? page.games.find((one) => one.id === source.gameId)?.name ?? source.gameId;
  const stepper = steps?.length ? await makeStepper(page, { game, steps, names, me }) : null;
  const file = source.fileName.replace(/\.json$/, "-replay.json");
  const save = () => saveFile(file, writeReplay(source.text, steps, { names }));
  show(
    root,
    el("h1", {}, [name, title].filter(Boolean).join(", ")),
    el(
      "div",
      { class: "place" },
      el(
        "div",
        {},
        stepper?.element ?? plainSteps(source),
        el(
          "div",
          { class: "row" },
          source.link ? shareButton(source.link, t`Copy the link`) : null,
          stepper ? el("button", { type: "button", onclick: save }, t`Save the replay`) : null,
          el("a", { href: "#/replay/file" }, t`Open a file`),
          el("a", { href: "#/history" }, t`All of mine`),
        ),
      ),
      el("aside", { class: "drawers" }, el("div", { class: "drawer panel" }, dice ? diceNote(source) : showProof({ ...source, link: null }))),
    ),
  );
  return () => stepper?.destroy();
}

function diceNote(source) {
  return [
    el("h2", {}, t`Proof`),
    el("p", {}, t`The dice of this table were everybody's: the proof drawer of the room has who added what.`),
    el("a", { class: "button", href: source.link.replace("#/replay/room/", "#/room/") }, t`To the room`),
  ];
}

// A record alone does not hold what the table showed: without the rules the page can say what was done, not what came of it.
function plainSteps({ text }) {
  const { record } = readReplay(text);
  const words = ({ type, payload, player_id: who }) => `${who}: ${type.replaceAll("_", " ")} ${Object.values(payload ?? {}).flat().join(" ")}`;
  return el(
    "section",
    { class: "panel" },
    el("p", {}, t`A record holds what was done and what chance was made of, not what the table showed. \`croupier replay\` shows that; a replay saved from this page has it as well.`),
    el("ol", { class: "steps" }, record.actions.map((action) => el("li", {}, words(action)))),
  );
}

async function fromFile(root, page) {
  const place = el("div", { class: "replay-place" });
  let leave = () => {};
  const open = async (file) => {
    leave();
    leave = () => {};
    try {
      const found = readReplay(await file.text());
      if (found.kind === "transcript") return show(place, await transcriptProof(found.transcript));
      const { record, text, steps, names } = found;
      const source = { isOver: true, text, steps, kept: keptFile(), times: [], fileName: file.name, gameId: record.game_id };
      Object.assign(source, { commitment: record.commitments?.commitment, clientSeed: record.commitments?.client_seed });
      leave = await showReplay(place, page, { game: null, source, names, me: steps?.[0]?.view.viewer ?? null, title: file.name });
    } catch (error) {
      show(place, el("p", { class: "bad", role: "alert" }, error.message));
    }
    return undefined;
  };
  const input = el("input", { type: "file", accept: ".json,application/json", id: "replay-file", onclick: () => (input.value = ""), onchange: () => input.files[0] && open(input.files[0]) });
  show(
    root,
    el("h1", {}, t`A record from a file`),
    el("p", { class: "lead" }, t`It is read and proven in this browser; nothing is sent anywhere.`),
    el("p", { class: "row" }, el("label", { for: "replay-file" }, t`A record, a replay, or a transcript of dice`), input),
    place,
  );
  return () => leave();
}

async function transcriptProof(transcript) {
  const [{ DiceBook }, { showDiceProof }] = await Promise.all([import("../lib/dice-book.js"), import("../common/dice-proof.js")]);
  const book = new DiceBook(transcript.terms);
  const play = { book, key: null, trouble: null };
  try {
    for (const { event } of transcript.entries) book.apply(event);
  } catch (error) {
    play.trouble = { code: error.code ?? "unreadable", text: error.message };
  }
  return el("div", { class: "panel" }, showDiceProof({ play, nameOf: (key) => `${key.slice(0, 8)}…`, text: null, files: [] }));
}

export async function replayScreen(root, page, [kind, id, token]) {
  if (kind === "file" || !id) return fromFile(root, page);
  show(root, el("p", { class: "loading" }, t`One moment …`));
  try {
    return await showReplay(root, page, await fetchReplay(page, kind, id, token));
  } catch (error) {
    if (!HEADS[error.code]) throw error;
    show(root, el("h1", {}, t`Nothing to show`), el("p", {}, HEADS[error.code]), el("a", { href: "#/" }, t`To the lobby`));
    return () => {};
  }
}
