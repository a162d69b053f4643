// The page's entry: the account of this browser, which screen is shown, and what all screens share.

import { get, onReachable, patch, post, useToken } from "./lib/api.js";
import { chips, el, show, t } from "./lib/dom.js";
import { followLog, noteNext } from "./lib/host.js";
import { canonicalJson } from "./lib/json.js";
import { keep, recall } from "./lib/keep.js";
import { Live } from "./lib/live.js";
import { play, setSound } from "./lib/sound.js";
import { lobbyScreen } from "./screens/lobby.js";
import { clearRefusal, refuseAt } from "./common/refusal.js";
import { saveFile } from "./common/share.js";

// Only what is shown is loaded; the others follow when the page has nothing better to do.
const SCREENS = {
  "": async () => lobbyScreen,
  play: async () => (await import("./screens/session.js")).sessionScreen,
  room: async () => (await import("./screens/room.js")).roomScreen,
  hotseat: async () => (await import("./screens/hotseat.js")).hotseatScreen,
  history: async () => (await import("./screens/history.js")).historyScreen,
  replay: async () => (await import("./screens/replay.js")).replayScreen,
  account: async () => (await import("./screens/account.js")).accountScreen,
  decks: async () => (await import("./screens/decks.js")).decksScreen,
};

const main = document.getElementById("main");
const header = document.getElementById("header");
const banner = document.getElementById("banner");
const live = document.getElementById("live");

/** What every screen is given. */
const page = {
  live: new Live(),
  account: null,
  isNew: false, // whether the account was made for the first screen, and has played nothing
  games: [],
  tables: [],
  preferences: { theme: "auto", deck: "two", sound: "off", ...recall("preferences", {}) },

  /** Tell those who listen rather than look. */
  say(text) {
    live.append(el("p", {}, text));
    while (live.childElementCount > 20) live.firstChild.remove();
  },

  go(path) {
    location.hash = `#/${path}`;
  },

  enter(room) {
    page.go(`room/${room.id}`);
  },

  setPreferences(change) {
    Object.assign(page.preferences, change);
    keep("preferences", page.preferences);
    applyPreferences();
    drawHeader();
  },

  setPurse(purse) {
    if (!page.account || !purse) return;
    page.account.house = purse;
    drawPurse();
    for (const fn of purseListeners) fn(purse);
  },

  /** Hear when the purse changes. Returns how to stop. */
  onPurse(fn) {
    purseListeners.add(fn);
    return () => purseListeners.delete(fn);
  },

  /** Put the name of a table and its drawers into the header; nothing takes them away. */
  setTable(...parts) {
    show(slot, parts);
    document.body.classList.toggle("at-table", parts.length > 0);
  },

  async refresh() {
    page.account = await get("/me");
    drawHeader();
  },

  async rename(name) {
    page.account = await patch("/me", { name });
    drawHeader();
  },

  /** Show a refusal at what was pressed, else on top. That the host is not to be trusted is shown on every screen from then on. */
  complain(error) {
    if (error.code === "distrust") distrusted = error;
    const { proof } = error.extra ?? {};
    const isHere = error.code && !["distrust", "offline"].includes(error.code) && !proof && refuseAt(error.detail ?? String(error));
    if (isHere) return page.say(error.detail ?? String(error));
    banner.hidden = false;
    const save = () => saveFile("croupier-proof.json", canonicalJson(proof));
    show(banner, error.detail ?? String(error), proof ? el("button", { type: "button", onclick: save }, t`Download what proves it`) : null, closeBanner());
    return page.say(error.detail ?? String(error));
  },

  /** Show a refusal, and let whoever asked know that nothing came of it. */
  refuse(error) {
    page.complain(error);
    throw error;
  },
};
const purseListeners = new Set();

function closeBanner() {
  const close = () => (banner.hidden = true);
  return el("button", { type: "button", class: "plain", "aria-label": t`Close this message`, onclick: close }, "×");
}

function applyPreferences() {
  const { theme, deck } = page.preferences;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.deck = deck;
  setSound(page.preferences.sound === "on");
}

function soundSwitch() {
  const isOn = page.preferences.sound === "on";
  const turn = () => {
    page.setPreferences({ sound: isOn ? "off" : "on" });
    play("chip");
    page.say(isOn ? t`Sound is off.` : t`Sound is on.`);
    header.querySelector(".sound-switch").focus();
  };
  return el(
    "button",
    { type: "button", class: "plain sound-switch", "aria-pressed": String(isOn), "aria-label": isOn ? t`Sound on` : t`Sound off`, onclick: turn },
    isOn ? "♫" : "♪",
    el("span", {}, isOn ? t` Sound on` : t` Sound off`),
  );
}

// The parts of the header stay: what has the focus there keeps it while the purse changes.
const slot = el("div", { class: "header-table" });
const purse = el("p", { class: "purse" });

function drawHeader() {
  if (!slot.isConnected) {
    const brand = el("a", { class: "brand", href: "#/", "aria-label": t`croupier, to the lobby` }, el("img", { src: "/web/icon.svg", alt: "", width: 28, height: 28 }), el("span", {}, "croupier"));
    const pages = [el("a", { href: "#/history" }, t`History`), el("a", { href: "#/account" }, t`Account`)];
    show(header, brand, slot, el("nav", { "aria-label": t`Pages` }, pages, el("span", { class: "sound-place" })), purse);
  }
  show(header.querySelector(".sound-place"), soundSwitch());
  drawPurse();
}

function drawPurse() {
  const { account } = page;
  if (!account) return;
  show(
    purse,
    el("span", { class: "purse-name" }, account.name),
    el("strong", { "aria-label": t`${chips(account.house.chips)} chips` }, `${chips(account.house.chips)}`),
    el("span", { class: "quiet" }, t`chips`),
  );
}

const NAMES = ["Quiet", "Lucky", "Patient", "Bold", "Clever", "Merry", "Swift", "Gentle"];
const KINDS = ["Otter", "Heron", "Fox", "Lynx", "Raven", "Hare", "Badger", "Finch"];

/** Sit down at once: a guest has a name that can be changed, and an account like any other. */
async function becomeSomebody() {
  const known = recall("token");
  if (known) {
    useToken(known);
    try {
      page.account = await get("/me");
      return;
    } catch (error) {
      if (!["bad_token", "account_closed"].includes(error.code)) throw error;
      keep("token", null);
    }
  }
  useToken(null);
  const [a, b] = crypto.getRandomValues(new Uint8Array(2));
  const made = await post("/accounts", { name: `${NAMES[a % 8]} ${KINDS[b % 8]}`, label: "browser", next: true });
  keep("token", made.token);
  keep("recovery", made.recovery_key);
  useToken(made.token);
  page.account = made.account;
  page.isNew = true;
  noteNext(made.next);
}

let leave = () => {};
let turn = 0;
let distrusted = null;

async function showScreen() {
  const mine = (turn += 1);
  const path = location.hash.replace(/^#\/?/, "");
  const [name, ...rest] = path.split("/").map((part) => new URLSearchParams(`part=${part}`).get("part")); // never throws
  leave();
  leave = () => {};
  clearRefusal();
  page.setTable();
  banner.hidden = true;
  if (distrusted) page.complain(distrusted);
  const root = el("div", { class: `screen screen-${name || "lobby"}` });
  delete main.dataset.shown;
  show(main, root);
  try {
    const screen = await SCREENS[Object.hasOwn(SCREENS, name) ? name : ""]();
    const done = await screen(root, page, rest);
    if (mine === turn) leave = done ?? leave;
    else done?.();
  } catch (error) {
    console.warn(error);
    show(root, el("h1", {}, t`That did not work`), el("p", {}, error.detail ?? error.message), el("a", { href: "#/" }, t`To the lobby`));
  }
  if (mine !== turn) return;
  main.focus({ preventScroll: true });
  main.dataset.shown = path; // for whoever drives the page: the screen stands
}

async function begin() {
  applyPreferences();
  try {
    await becomeSomebody();
    [page.games, page.tables] = await Promise.all([get("/games"), get("/tables")]);
  } catch (error) {
    show(main, el("h1", {}, t`The server cannot be reached`), el("p", {}, error.detail ?? String(error)), el("a", { href: "/web/offline/index.html" }, t`Play Shut the Box without it`));
    setTimeout(begin, 3000);
    return;
  }
  drawHeader();
  addEventListener("hashchange", showScreen);
  await showScreen();
  page.isNew = false;
  document.documentElement.dataset.ready = "yes";
  followLog().catch((error) => error.code === "distrust" && page.complain(error));
  const later = globalThis.requestIdleCallback ?? ((fn) => setTimeout(fn, 500));
  later(() => Promise.allSettled(Object.values(SCREENS).map((load) => load())));
}

const UNREACHABLE = t`The server cannot be reached. What you see may be old. What you press now is sent when it is back.`;
onReachable((isOnline) => {
  document.body.classList.toggle("offline", !isOnline);
  if (!isOnline) page.complain({ detail: UNREACHABLE });
  else if (banner.textContent.startsWith(UNREACHABLE)) banner.hidden = true;
});
begin();
