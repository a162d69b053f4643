// Numbers and times as the reader's own language writes them. Exact numbers come as text, p/q.

/** Return p/q as a number; null for nothing. */
export function ratio(text) {
  if (text === null || text === undefined) return null;
  const [top, bottom = "1"] = String(text).split("/");
  return Number(top) / Number(bottom);
}

const formats = {}; // by digits: making one takes as long as writing a hundred numbers with it

/** Return a number with at most so many digits behind the point, or with exactly so many. */
export function number(value, digits = 0, isExact = false) {
  const range = { maximumFractionDigits: digits, minimumFractionDigits: isExact ? digits : 0 };
  const format = (formats[`${digits} ${isExact}`] ??= new Intl.NumberFormat(undefined, range));
  return format.format(value);
}

/** Return p/q in percent. */
export function percent(text, digits = 2) {
  const value = ratio(text);
  return value === null ? null : `${number(100 * value, digits, true)} %`;
}

/** Return the day and time of a moment; the time alone, to the second or the minute. */
export const dateTime = (at) => new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
export const clock = (at, timeStyle = "medium") => new Date(at).toLocaleTimeString(undefined, { timeStyle });
