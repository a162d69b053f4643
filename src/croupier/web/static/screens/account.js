// The account: name, chips, limits that players set for themselves, the ledger, the recovery key, and deletion.

import { get, getText, post, put, remove } from "../lib/api.js";
import { chips, el, show, t, tableOf } from "../lib/dom.js";
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

// "lucky_six: return" is "lucky six, back".
const movementWords = (reason) => reason.replaceAll("_", " ").replace(/: return$/, t`, back`).replace(/: fee$/, t`, fee`);

async function readLedger(me) {
  const movements = await get("/me/ledger?limit=50");
  if (!movements.length) return el("p", { class: "quiet" }, t`No chips have moved yet.`);
  const rows = movements.map(({ number, reason, session, target, amount }) => {
    const change = target === `player/${me}` ? amount : -amount;
    return [
      String(number),
      movementWords(reason),
      session === null ? "" : String(session),
      el("td", { class: change > 0 ? "good number" : "bad number" }, `${change > 0 ? "+" : "−"}${chips(Math.abs(change))}`),
    ];
  });
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t`The ledger` }, tableOf(["#", t`what`, t`round`, t`chips`], rows));
}

export async function accountScreen(root, page) {
  const { account } = page;
  const ledger = el("div", {}, await readLedger(account.id));
  const name = el("input", { value: account.name, maxlength: 32, required: true });
  const loss = el("input", { type: "number", min: 0, value: account.limits.loss_day ?? "" });
  const minutes = el("input", { type: "number", min: 0, max: 1440, value: account.limits.minutes_day ?? "" });
  const pause = choice("pause", [["0", t`not now`], ["1", t`for a day`], ["7", t`for a week`], ["180", t`for half a year`]], "0", () => {});

  // Only what a form has changed is shown anew: what was typed into another one stays.
  const attempt = (work, text) => (event) => (event.preventDefault(), work().then(() => page.say(text)).catch(page.complain));
  const rename = attempt(() => page.rename(name.value).then(() => (name.value = page.account.name)), t`Your name is changed.`);
  const deposit = attempt(async () => {
    page.setPurse(await post("/me/deposits", { amount: 1000 }));
    show(ledger, await readLedger(account.id));
  }, t`1,000 chips are yours.`);
  const limit = attempt(async () => {
    const days = Number(pause.value);
    await put("/me/limits", {
      loss_day: loss.value === "" ? null : Number(loss.value),
      minutes_day: minutes.value === "" ? null : Number(minutes.value),
      excluded_until: days ? Date.now() + days * 86_400_000 : null, // which leaves it as it stands
    });
    await page.refresh();
    [loss.value, minutes.value, pause.value] = [page.account.limits.loss_day ?? "", page.account.limits.minutes_day ?? "", "0"];
  }, t`Your limits are set.`);
  const exportAll = async () => saveFile("croupier-account.json", await getText("/me/export"));
  const forgetHost = () => {
    if (!confirm(t`Forget this host's signature and everything kept about your rounds? They can then no longer be proven.`)) return;
    for (const what of ["kept", "log"]) keep(what, null);
    location.reload();
  };
  const erase = async () => {
    if (!confirm(t`Delete this account? Its name and chips are gone for good.`)) return;
    await remove("/me");
    for (const what of ["token", "recovery"]) keep(what, null);
    keep("kept", { ...keptFile(), kept: [] });
    location.hash = "#/";
    location.reload();
  };

  show(
    root,
    el("h1", {}, t`Your account`),
    el(
      "div",
      { class: "columns" },
      el(
        "section",
        { class: "panel" },
        el("h2", {}, t`You`),
        el("form", { onsubmit: rename }, field(t`Name`, name), el("button", {}, t`Change`)),
        field(t`Colours`, choice("theme", [["auto", t`as the system`], ["light", t`light`], ["dark", t`dark`]], page.preferences.theme, (theme) => page.setPreferences({ theme }))),
        field(t`Suits`, choice("deck", [["two", t`two colours`], ["four", t`four colours`]], page.preferences.deck, (deck) => page.setPreferences({ deck }))),
        field(t`Sound`, choice("sound", [["off", t`off`], ["on", t`on`]], page.preferences.sound ?? "off", (sound) => page.setPreferences({ sound }))),
        el("form", { onsubmit: deposit }, el("p", {}, t`Once a day there are 1,000 chips for the asking.`), el("button", {}, t`Ask for chips`)),
      ),
      el(
        "section",
        { class: "panel" },
        el("h2", {}, t`Limits of your own`),
        el("p", { class: "quiet" }, t`What is tighter holds at once, what is looser a day later.`),
        el(
          "form",
          { onsubmit: limit },
          field(t`Lose at most, a day`, loss, t`${chips(account.limits.lost_today)} lost today`),
          field(t`Play at most, minutes a day`, minutes),
          field(t`Keep me from playing`, pause),
          el("button", {}, t`Set`),
        ),
      ),
      el(
        "section",
        { class: "panel" },
        el("h2", {}, t`Yours to keep`),
        recall("recovery") ? el("p", {}, t`With this key you come back from anywhere: `, el("code", { class: "key" }, recall("recovery"))) : null,
        el("button", { type: "button", onclick: () => exportAll().catch(page.complain) }, t`Download everything about me`),
        keptButton(),
        el("button", { type: "button", class: "danger", onclick: forgetHost }, t`Forget what this browser kept`),
        el("button", { type: "button", class: "danger", onclick: () => erase().catch(page.complain) }, t`Delete this account`),
      ),
    ),
    el("section", {}, el("h2", {}, t`Ledger`), ledger),
  );
}
