// Runs the published vectors of the generator on the page's own GameRng; prints what differs, and how many cases held.

import { readFileSync } from "node:fs";

const [, , statics, vectors] = process.argv;
const { GameRng, sortedPack } = await import(`file://${statics}/lib/rng.js`);
const { sha256Hex, toHex } = await import(`file://${statics}/lib/sha256.js`);

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const plain = (value) => {
  if (typeof value === "bigint") return value.toString();
  return value instanceof Uint8Array ? toHex(value) : value;
};
const hash = (cards) => sha256Hex(Uint8Array.from(cards));
let held = 0;
const wrong = [];

function same(name, found, expected) {
  if (JSON.stringify(found) === JSON.stringify(expected)) held += 1;
  else wrong.push(`${name}: ${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);
}

function stream(one) {
  return one.seed === undefined ? GameRng.fromState(one.block) : new GameRng(one.seed, one.session_id, one.move_number);
}

function bulk(name, one) {
  const all = [];
  for (let session = 0; session < one.session_count; session += 1) {
    const rng = new GameRng(one.seed, session, one.move_number);
    if (one.build) all.push(...rng[camel(one.build)](...one.args));
    else {
      const pack = sortedPack(one.decks, one.without ?? []);
      for (let i = 0; i < one.draw_count; i += 1) all.push(rng.drawCard(pack));
    }
  }
  same(name, hash(all), one.sha256);
}

function check(name, one) {
  if (one.session_count) return bulk(name, one);
  const rng = stream(one);
  if (one.seed !== undefined && one.block) same(name, toHex(rng.block), one.block);
  if (one.bytes) {
    rng.fillBytes(one.first);
    same(name, toHex(rng.fillBytes(one.bytes.length / 2)), one.bytes);
  }
  for (const call of one.calls ?? (one.draw ? [one] : [])) {
    const found = call.values.map(() => plain(rng[camel(call.draw)](...call.args)));
    same(name, found, call.values);
  }
  if (one.items) same(name, rng.shuffle([...one.items]), one.shuffled);
  if (one.decks) {
    const pack = sortedPack(one.decks, one.without);
    same(name, one.draws.map(() => rng.drawCard(pack)), one.draws);
  }
  if (one.build) {
    const pack = rng[camel(one.build)](...one.args);
    if (one.cards) same(name, pack.length, one.cards);
    if (one.first) same(name, pack.slice(0, one.first.length), one.first);
    if (one.last) same(name, pack.slice(-one.last.length), one.last);
    if (one.pack) same(name, toHex(Uint8Array.from(pack)), one.pack);
    if (one.h16) same(name, hash(pack).slice(0, 16), one.h16);
    if (one.bytes_used !== undefined) same(name, rng.used, one.bytes_used);
    if (one.draws) same(name, one.draws.map(() => rng.drawCard(pack)), one.draws);
    if (one.bytes_used_after_draws) same(name, rng.used, one.bytes_used_after_draws);
    return undefined;
  }
  if (one.bytes_used !== undefined) same(name, rng.used, one.bytes_used);
  return undefined;
}

for (const name of process.argv.slice(4)) {
  for (const one of JSON.parse(readFileSync(`${vectors}/${name}`, "utf8")).cases) check(name, one);
}
console.log(JSON.stringify({ held, wrong }));
