// The money of a session, checked: states as the record seals them, lines of its ledger, chips that equal their sum.
// Whole numbers all the way, however large.

import { t } from "./dom.js";
import { digestOf } from "./state.js";

const check = (name, ok, text, items = []) => ({ name, ok, text, items });
const sum = (list) => list.reduce((total, one) => total + BigInt(one), 0n);
const withSign = (number) => (number < 0n ? `−${-number}` : number > 0n ? `+${number}` : "0");
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function gcd(a, b) {
  return b ? gcd(b, a % b) : a;
}

/** Return the profit of a price "a to b" on a stake: the house rounds down to whole chips. */
export function profitAt(stake, [a, b]) {
  return (BigInt(stake) * BigInt(a)) / BigInt(b);
}

/** Return the prices, as pairs, that a text such as "8 to 1, less 5 %" or "35 to 1" names. */
export function pricesIn(text) {
  return [...String(text ?? "").matchAll(/(\d+) (?:to|:) (\d+)/g)].map(([, a, b]) => [a, b]).filter(([, b]) => b !== "0");
}

/** Return one line in words, with the price that explains it. `prices` are those that the table publishes for the bet. */
export function lineSum(line, prices = []) {
  const [stake, returned] = [BigInt(line.stake), BigInt(line.returned)];
  const profit = returned - stake;
  if (profit < 0n) return returned ? `${stake} − ${-profit} = ${returned}` : t`${stake} lost`;
  if (!profit) return `${stake} + 0 = ${returned}`;
  const price = prices.find((pair) => profitAt(stake, pair) === profit);
  if (price) return t`${stake} + ${stake} × ${price[0]}/${price[1]}${isWhole(stake, price) ? "" : t`, rounded down,`} = ${returned}, as published`;
  if (!stake) return `0 + ${profit} = ${returned}`;
  const by = gcd(profit, stake);
  return `${stake} + ${stake} × ${profit / by}/${stake / by} = ${returned}`;
}

const isWhole = (stake, [a, b]) => (stake * BigInt(a)) % BigInt(b) === 0n;

/** Check that every state shown hashes to the digest in the record: what is read from the views is then what was sealed. */
export function checkStates(record, steps) {
  if (steps.length !== record.digests.length) {
    return check("states", false, t`The record has ${record.digests.length} states, the table showed ${steps.length}.`);
  }
  const wrong = steps.findIndex(({ view }, i) => digestOf(view, record.seed, record.session_id) !== record.digests[i]);
  if (wrong >= 0) return check("states", false, t`What the table showed at step ${wrong} is not what the record sealed.`);
  return check("states", true, t`All ${steps.length} states that the table showed are those that the record sealed.`);
}

/** Check the lines of a session against the accounts it shows. `pricesOf(bet)` gives published prices, if any are known. */
export function checkLines(steps, pricesOf = () => []) {
  const money = steps.at(-1).view.game.money;
  if (!money) return [];
  const items = money.lines.map((line) => `${line.bet}: ${lineSum(line, pricesOf(line.bet))}`);
  const problem = linesProblem(steps, money);
  if (problem) return [check("lines", false, problem, items)];
  const [staked, returned, fees] = [money.staked, money.returned, money.fees].map(BigInt);
  const net = returned - staked - fees;
  const total = t`${returned} back − ${staked} staked${fees ? t` − ${fees} fees` : ""} = ${withSign(net)}`;
  return [check("lines", true, t`${plural(money.lines.length, "line")} worked out again: ${total}.`, items)];
}

function linesProblem(steps, money) {
  let before = [];
  for (const { view } of steps) {
    const { lines } = view.game.money;
    if (before.some((line, i) => JSON.stringify(line) !== JSON.stringify(lines[i]))) return t`A line was changed after it had been settled.`;
    before = lines;
  }
  if (money.lines.some((line) => BigInt(line.returned) < 0n || BigInt(line.stake) < 0n)) return t`A line has fewer chips than none.`;
  const [stakes, open, back] = [sum(money.lines.map((l) => l.stake)), sum(money.open.map((one) => one.stake)), sum(money.lines.map((l) => l.returned))];
  if (stakes + open !== BigInt(money.staked)) return t`The lines come to ${stakes + open} chips staked, the session says ${money.staked}.`;
  if (back !== BigInt(money.returned)) return t`The lines come to ${back} chips back, the session says ${money.returned}.`;
  return null;
}

const BONUS = { shield: t`a shield gave back`, double: t`doubling added` };

/** Check that the ledger moved what the lines come to. `movements` are those of the session alone. */
export function checkLedger(money, movements, account) {
  const signed = (one) => (one.target === account ? BigInt(one.amount) : one.source === account ? -BigInt(one.amount) : 0n);
  const plain = sum(movements.filter((one) => !BONUS[one.reason]).map(signed));
  const net = BigInt(money.returned) - BigInt(money.staked) - BigInt(money.fees);
  const bonus = movements.filter((one) => BONUS[one.reason]).map((one) => `${BONUS[one.reason]} ${withSign(signed(one))}`);
  const items = movements.map((one) => `${one.reason}: ${withSign(signed(one))}`);
  if (plain !== net) return check("ledger", false, t`The ledger moved ${withSign(plain)}, the lines come to ${withSign(net)}.`, items);
  return check("ledger", true, t`The ledger moved ${withSign(plain)} in ${plural(movements.length, "movement")}${bonus.length ? `; ${bonus.join(", ")}` : ""}.`, items);
}
