// Ed25519 (RFC 8032) for signing at a table of shared dice. Keys are made and kept in the page.
//
// It is not constant-time: the page signs with its own key, on its owner's machine, for one evening. SHA-512 is ours as
// well, for the reason given in sha256.js.

import { joinBytes } from "./sha256.js";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (a, m = P) => ((a % m) + m) % m;

function power(base, exponent) {
  let result = 1n;
  let square = mod(base);
  for (let e = exponent; e; e >>= 1n) {
    if (e & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

const inverse = (a) => power(a, P - 2n);
const D = mod(-121665n * inverse(121666n));
const ROOT_OF_MINUS_1 = power(2n, (P - 1n) / 4n);

// Points in extended coordinates: x = X/Z, y = Y/Z, xy = T/Z.
function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * D * t1 * t2);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(scalar, point) {
  let result = [0n, 1n, 1n, 0n];
  let step = point;
  for (let s = scalar; s; s >>= 1n) {
    if (s & 1n) result = add(result, step);
    step = add(step, step);
  }
  return result;
}

// s times p and k times q, added up: both at once, for half the doublings.
function timesBoth(s, p, k, q) {
  const both = [null, p, q, add(p, q)];
  let result = [0n, 1n, 1n, 0n];
  for (let bit = 255n; bit >= 0n; bit -= 1n) {
    result = add(result, result);
    const which = Number((s >> bit) & 1n) + 2 * Number((k >> bit) & 1n);
    if (which) result = add(result, both[which]);
  }
  return result;
}

function recoverX(y, isOdd) {
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x - square)) x = mod(x * ROOT_OF_MINUS_1);
  if (mod(x * x - square) || (x === 0n && isOdd)) return null;
  return (x & 1n) === BigInt(isOdd) ? x : P - x;
}

const BASE = (() => {
  const y = mod(4n * inverse(5n));
  const x = recoverX(y, 0);
  return [x, y, 1n, mod(x * y)];
})();

const fromLittle = (bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
const toLittle = (value) => Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));

function encode([x, y, z]) {
  const over = inverse(z);
  const bytes = toLittle(mod(y * over));
  bytes[31] |= Number(mod(x * over) & 1n) << 7;
  return bytes;
}

function decode(bytes) {
  const isOdd = bytes[31] >> 7;
  const y = fromLittle(bytes) & (2n ** 255n - 1n);
  if (y >= P) return null;
  const x = recoverX(y, isOdd);
  return x === null ? null : [x, y, 1n, mod(x * y)];
}

function secretParts(seed) {
  const hash = sha512(seed);
  hash[0] &= 248;
  hash[31] = (hash[31] & 127) | 64;
  return [fromLittle(hash.subarray(0, 32)), hash.subarray(32)];
}

/** Return the public key, 32 bytes, of a secret of 32 random bytes. */
export function publicKey(seed) {
  return encode(times(secretParts(seed)[0], BASE));
}

/** Return the signature of a message, 64 bytes. */
export function sign(seed, message) {
  const [scalar, prefix] = secretParts(seed);
  const key = encode(times(scalar, BASE));
  const r = mod(fromLittle(sha512(joinBytes(prefix, message))), L);
  const point = encode(times(r, BASE));
  const k = mod(fromLittle(sha512(joinBytes(point, key, message))), L);
  return joinBytes(point, toLittle(mod(r + k * scalar, L)));
}

// Points whose order divides 8, by their second coordinate: under such a key anyone can make signatures that hold.
const Y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const WEAK = new Set([0n, 1n, P - 1n, Y8, P - Y8]);

/** Tell whether a signature holds. A key of small order belongs to nobody: nothing holds under it. */
export function verify(key, message, signature) {
  if (key.length !== 32 || signature.length !== 64) return false;
  const a = decode(key);
  if (!a || WEAK.has(a[1])) return false;
  const r = signature.subarray(0, 32);
  const s = fromLittle(signature.subarray(32));
  if (s >= L) return false;
  const k = mod(fromLittle(sha512(joinBytes(r, key, message))), L);
  const minus = [mod(-a[0]), a[1], a[2], mod(-a[3])];
  const found = encode(timesBoth(s, BASE, k, minus));
  return found.every((byte, i) => byte === r[i]);
}

// SHA-512 over BigInt words: slow, and never on more than a few hundred bytes here.

const MASK = 2n ** 64n - 1n;
const [K512, START512] = (() => {
  const primes = [];
  for (let n = 2; primes.length < 80; n += 1) {
    if (primes.every((p) => n % p)) primes.push(n);
  }
  const fraction = (p, exponent) => {
    const target = BigInt(p) << BigInt(64 * exponent);
    let root = 0n;
    for (let bit = 1n << 69n; bit; bit >>= 1n) {
      if ((root + bit) ** BigInt(exponent) <= target) root += bit;
    }
    return root & MASK;
  };
  return [primes.map((p) => fraction(p, 3)), primes.slice(0, 8).map((p) => fraction(p, 2))];
})();

const turn = (x, n) => ((x >> BigInt(n)) | (x << BigInt(64 - n))) & MASK;

/** Return the 64 bytes of the SHA-512 of bytes. */
export function sha512(bytes) {
  const padded = new Uint8Array((Math.floor((bytes.length + 16) / 128) + 1) * 128);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = [...START512];
  for (let at = 0; at < padded.length; at += 128) {
    const w = Array.from({ length: 16 }, (_, i) => view.getBigUint64(at + 8 * i));
    for (let i = 16; i < 80; i += 1) {
      const s0 = turn(w[i - 15], 1) ^ turn(w[i - 15], 8) ^ (w[i - 15] >> 7n);
      const s1 = turn(w[i - 2], 19) ^ turn(w[i - 2], 61) ^ (w[i - 2] >> 6n);
      w.push((w[i - 16] + s0 + w[i - 7] + s1) & MASK);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i += 1) {
      const s1 = turn(e, 14) ^ turn(e, 18) ^ turn(e, 41);
      const t1 = (h + s1 + ((e & f) ^ (~e & MASK & g)) + K512[i] + w[i]) & MASK;
      const s0 = turn(a, 28) ^ turn(a, 34) ^ turn(a, 39);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) & MASK;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & MASK, c, b, a, (t1 + t2) & MASK];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => {
      state[i] = (state[i] + value) & MASK;
    });
  }
  const out = new DataView(new ArrayBuffer(64));
  state.forEach((value, i) => out.setBigUint64(8 * i, value));
  return new Uint8Array(out.buffer);
}
