// JSON that is read without loss and written in the one canonical way: whole numbers of any size, sorted keys, no spaces.

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Return what JSON text holds. Whole numbers beyond 2^53 become BigInt; the same key twice is an error. */
export function parseJson(text) {
  let at = 0;
  const fail = (what) => {
    throw new SyntaxError(`${what} at character ${at}`);
  };
  const space = () => {
    while (" \t\n\r".includes(text[at]) && at < text.length) at += 1;
  };
  const expect = (word) => {
    if (!text.startsWith(word, at)) fail(`expected ${word}`);
    at += word.length;
  };
  const string = () => {
    const begin = at;
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at += 1;
    return JSON.parse(text.slice(begin, at)); // escapes and control characters are its business
  };
  const number = () => {
    const [found] = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(text.slice(at)) ?? fail("expected a value");
    at += found.length;
    if (/[.eE]/.test(found)) return Number(found);
    const whole = BigInt(found);
    return whole >= -SAFE && whole <= SAFE ? Number(whole) : whole;
  };
  const list = (depth) => {
    const found = [];
    at += 1;
    space();
    while (text[at] !== "]") {
      if (found.length) expect(",");
      found.push(value(depth));
    }
    at += 1;
    return found;
  };
  const object = (depth) => {
    const found = new Map();
    at += 1;
    space();
    while (text[at] !== "}") {
      if (found.size) expect(",");
      space();
      if (text[at] !== '"') fail("expected a key");
      const key = string();
      if (found.has(key)) fail(`the key ${key} comes twice`);
      space();
      expect(":");
      found.set(key, value(depth));
    }
    at += 1;
    return Object.fromEntries(found);
  };
  const value = (depth) => {
    if (depth > 100) fail("nested too deep");
    space();
    let found;
    if (text[at] === "{") found = object(depth + 1);
    else if (text[at] === "[") found = list(depth + 1);
    else if (text[at] === '"') found = string();
    else if (text[at] === "t") (expect("true"), (found = true));
    else if (text[at] === "f") (expect("false"), (found = false));
    else if (text[at] === "n") (expect("null"), (found = null));
    else found = number();
    space();
    return found;
  };
  const found = value(0);
  if (at !== text.length) fail("something follows the value");
  return found;
}

/** Return the canonical text of a value: the bytes that croupier hashes, as UTF-8. */
export function canonicalJson(value) {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).sort(byCodePoint);
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

// Python sorts by code point, JavaScript by UTF-16 unit: they differ beyond the basic plane.
function byCodePoint(a, b) {
  const [x, y] = [Array.from(a), Array.from(b)];
  for (let i = 0; i < Math.min(x.length, y.length); i += 1) {
    if (x[i] !== y[i]) return x[i].codePointAt(0) - y[i].codePointAt(0);
  }
  return x.length - y.length;
}
