// Feeds books of shared dice, right up to a place and wrong from there, to the page's own book, and prints its answers:
// to each event, and a digest of what it knows in the end. Every so many cases the page's own Ed25519 checks signatures;
// elsewhere they hold if they held in the first implementation, for the same bytes.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const [, , statics, file] = process.argv;
const { DiceBook } = await import(`file://${statics}/lib/dice-book.js`);
const { parseJson } = await import(`file://${statics}/lib/json.js`);
const { verify } = await import(`file://${statics}/lib/ed25519.js`);

const given = JSON.parse(readFileSync(file, "utf8"));
const held = new Set(given.held);
const hash = (...parts) => parts.reduce((sum, part) => sum.update(part), createHash("sha256")).digest("hex");
const looked = (key, message, signature) => held.has(Buffer.from(signature).toString("hex") + hash(key, message));
const known = new Map();
const own = (key, message, signature) => {
  const name = hash(key, message, signature);
  if (!known.has(name)) known.set(name, verify(key, message, signature));
  return known.get(name);
};

function copyOf(book, verifies) {
  const { verifies: _, ...rest } = book;
  return Object.assign(Object.create(DiceBook.prototype), structuredClone(rest), { verifies });
}

function summary(book) {
  if (book.closed) return `${book.book} ${book.closed}`;
  const { round: on } = book;
  const seats = [...book.seats]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${key.slice(0, 8)} ${one.bond} ${one.status} ${one.nonce} ${one.seq} ${one.misses} ${one.barred} ${one.messages}`);
  const about = `${book.roundNumber} ${book.transcript} ${book.tableBond} ${book.paidIn} ${book.voidsInRow}`;
  const chain = `${book.bankNonce} ${book.opened.round} ${book.opened.value} ${book.sealed.length}`;
  const lines = [book.book, about, chain, ...book.contexts, ...seats];
  if (on) {
    const keys = [on.commits, on.out, on.acks, on.secrets].map((some) => [...some.keys()].sort().join(","));
    lines.push(`${on.phase} ${on.context} ${on.commitSet} ${on.seed} ${keys.join(" ")}`);
  }
  return lines.join("\n");
}

const tables = given.tables.map(({ terms, events }) => {
  const books = [new DiceBook(parseJson(terms), looked)];
  for (const text of events) {
    const next = copyOf(books.at(-1), looked);
    next.apply(parseJson(text));
    books.push(next);
  }
  return books;
});

function follow({ table, place, texts }, verifies) {
  const book = copyOf(tables[table][place], verifies);
  const found = texts.map((text) => {
    try {
      book.apply(parseJson(text));
      return "";
    } catch (error) {
      return error.name === "Wrong" ? error.code : String(error.stack);
    }
  });
  return [...found, book.closed, hash(summary(book))];
}

const verdicts = given.cases.map((one) => follow(one, looked));
const signed = given.cases.filter((_, i) => i % given.every === 0).map((one) => follow(one, own));
console.log(JSON.stringify({ verdicts, signed }));
