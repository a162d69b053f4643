// SHA-256 of bytes (FIPS 180-4). Ours, because pages that come over plain http have no crypto.subtle.

const ROUNDS = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of the
// first 8; worked out here, so that there is no table to get wrong.
const [K, START] = (() => {
  const primes = [];
  for (let n = 2; primes.length < ROUNDS; n += 1) {
    if (primes.every((p) => n % p)) primes.push(n);
  }
  // The root of p times 2^32, exactly: the largest whole number whose power is not above p times 2^(32 * power).
  const fraction = (p, power) => {
    const target = BigInt(p) << BigInt(32 * power);
    let root = 0n;
    for (let bit = 1n << 36n; bit; bit >>= 1n) {
      if ((root + bit) ** BigInt(power) <= target) root += bit;
    }
    return Number(root & 0xffffffffn);
  };
  return [Uint32Array.from(primes, (p) => fraction(p, 3)), Uint32Array.from(primes.slice(0, 8), (p) => fraction(p, 2))];
})();

const right = (x, n) => (x >>> n) | (x << (32 - n));

function compress(state, bytes, at, w) {
  for (let i = 0; i < 16; i += 1) {
    const j = at + 4 * i;
    w[i] = (bytes[j] << 24) | (bytes[j + 1] << 16) | (bytes[j + 2] << 8) | bytes[j + 3];
  }
  for (let i = 16; i < ROUNDS; i += 1) {
    const x = w[i - 15];
    const y = w[i - 2];
    const s0 = right(x, 7) ^ right(x, 18) ^ (x >>> 3);
    const s1 = right(y, 17) ^ right(y, 19) ^ (y >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < ROUNDS; i += 1) {
    const s1 = right(e, 6) ^ right(e, 11) ^ right(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const s0 = right(a, 2) ^ right(a, 13) ^ right(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => {
    state[i] = (state[i] + value) | 0;
  });
}

/** Return the 32 bytes of the hash of a Uint8Array. */
export function sha256(bytes) {
  const padded = new Uint8Array((Math.floor((bytes.length + 8) / 64) + 1) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  const state = Int32Array.from(START);
  const w = new Int32Array(ROUNDS);
  for (let at = 0; at < padded.length; at += 64) compress(state, padded, at, w);
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((value, i) => out.setInt32(4 * i, value));
  return new Uint8Array(out.buffer);
}

/** Return the 32 bytes of HMAC-SHA-256 (RFC 2104) of a message under a key, both Uint8Array. */
export function hmac(key, message) {
  const block = key.length > 64 ? sha256(key) : key;
  const pad = (byte) => Uint8Array.from({ length: 64 }, (_, i) => (block[i] ?? 0) ^ byte);
  return sha256(joinBytes(pad(0x5c), sha256(joinBytes(pad(0x36), message))));
}

/** Return the hash in hex. Text is hashed as UTF-8. */
export function sha256Hex(data) {
  return toHex(sha256(typeof data === "string" ? utf8(data) : data));
}

export function utf8(text) {
  return new TextEncoder().encode(text);
}

export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the bytes that lower-case hex stands for; throws where it is not that. */
export function fromHex(hex) {
  if (!/^([0-9a-f]{2})*$/.test(hex)) throw new RangeError("a seed is written in lower-case hex, two digits a byte");
  return Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
}

export function joinBytes(...parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
