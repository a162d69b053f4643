// One's account: name, chips, limits one sets oneself, the ledger, the key to come back with, and the way out.

import { get, getText, post, put, remove } from "../lib/api.js";
import { chips, el, show, tableOf } from "../lib/dom.js";
import { keep, keptFile, recall } from "../lib/keep.js";
import { keptButton, saveFile } from "../common/share.js";

function field(label, input, hint) {
  return el("label", { class: "field" }, el("span", {}, label), input, hint ? el("small", { class: "quiet" }, hint) : null);
}

function choice(name, values, chosen, onchange) {
  return el(
    "select",
    { name, onchange: (event) => onchange(event.target.value) },
    values.map(([value, text]) => el("option", { value, selected: value === chosen }, text)),
  );
}

function ledgerTable(movements, me) {
  const rows = movements.map(({ number, reason, session, target, amount }) => {
    const change = target === `player/${me}` ? amount : -amount;
    return [String(number), reason, session === null ? "" : String(session), el("td", { class: change > 0 ? "good number" : "bad number" }, `${change > 0 ? "+" : "−"}${chips(Math.abs(change))}`)];
  });
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The ledger" }, tableOf(["#", "what", "session", "chips"], rows));
}

export async function accountScreen(root, page) {
  const movements = await get("/me/ledger?limit=50");
  const { account } = page;
  const name = el("input", { value: account.name, maxlength: 32, required: true });
  const loss = el("input", { type: "number", min: 0, value: account.limits.loss_day ?? "" });
  const minutes = el("input", { type: "number", min: 0, max: 1440, value: account.limits.minutes_day ?? "" });
  const pause = choice("pause", [["0", "not now"], ["1", "for a day"], ["7", "for a week"], ["180", "for half a year"]], "0", () => {});

  const attempt = (work, text) => async (event) => {
    event.preventDefault();
    try {
      await work();
      page.say(text);
      await accountScreen(root, page);
    } catch (error) {
      page.complain(error);
    }
  };
  const rename = attempt(() => page.rename(name.value), "Your name is changed.");
  const deposit = attempt(async () => page.setPurse(await post("/me/deposits", { amount: 1000 })), "1,000 chips are yours.");
  const limit = attempt(async () => {
    const days = Number(pause.value);
    await put("/me/limits", {
      loss_day: loss.value === "" ? null : Number(loss.value),
      minutes_day: minutes.value === "" ? null : Number(minutes.value),
      excluded_until: days ? Date.now() + days * 86_400_000 : account.limits.excluded_until,
    });
    await page.refresh();
  }, "Your limits are set.");
  const exportAll = async () => saveFile("croupier-account.json", await getText("/me/export"));
  const forgetHost = () => {
    if (!confirm("Forget this host's signature and everything kept about your rounds? They can then no longer be proven.")) return;
    for (const what of ["kept", "log"]) keep(what, null);
    location.reload();
  };
  const erase = async () => {
    if (!confirm("Delete this account? Its name and chips are gone for good.")) return;
    await remove("/me");
    for (const what of ["token", "recovery"]) keep(what, null);
    keep("kept", { ...keptFile(), kept: [] });
    location.hash = "#/";
    location.reload();
  };

  show(
    root,
    el("h1", {}, "Your account"),
    el(
      "div",
      { class: "columns" },
      el(
        "section",
        { class: "panel" },
        el("h2", {}, "You"),
        el("form", { onsubmit: rename }, field("Name", name), el("button", {}, "Change")),
        field("Colours", choice("theme", [["auto", "as the system"], ["light", "light"], ["dark", "dark"]], page.preferences.theme, (theme) => page.setPreferences({ theme }))),
        field("Suits", choice("deck", [["two", "two colours"], ["four", "four colours"]], page.preferences.deck, (deck) => page.setPreferences({ deck }))),
        field("Sound", choice("sound", [["off", "off"], ["on", "on"]], page.preferences.sound ?? "off", (sound) => page.setPreferences({ sound }))),
        el("form", { onsubmit: deposit }, el("p", {}, "Once a day there are 1,000 chips for the asking."), el("button", {}, "Ask for chips")),
      ),
      el(
        "section",
        { class: "panel" },
        el("h2", {}, "Limits of your own"),
        el("p", { class: "quiet" }, "What is tighter holds at once, what is looser a day later."),
        el(
          "form",
          { onsubmit: limit },
          field("Lose at most, a day", loss, `${chips(account.limits.lost_today)} lost today`),
          field("Play at most, minutes a day", minutes),
          field("Keep me from playing", pause),
          el("button", {}, "Set"),
        ),
      ),
      el(
        "section",
        { class: "panel" },
        el("h2", {}, "Yours to keep"),
        recall("recovery") ? el("p", {}, "With this key you come back from anywhere: ", el("code", { class: "key" }, recall("recovery"))) : null,
        el("button", { type: "button", onclick: exportAll }, "Download everything about me"),
        keptButton(),
        el("button", { type: "button", class: "danger", onclick: forgetHost }, "Forget what this browser kept"),
        el("button", { type: "button", class: "danger", onclick: erase }, "Delete this account"),
      ),
    ),
    el("section", {}, el("h2", {}, "Ledger"), movements.length ? ledgerTable(movements, account.id) : el("p", { class: "quiet" }, "No chips have moved yet.")),
  );
}
