// Exact numbers come as text, p/q. For people they become percents.

/** Return p/q as a number; null for nothing. */
export function ratio(text) {
  if (text === null || text === undefined) return null;
  const [top, bottom = "1"] = String(text).split("/");
  return Number(top) / Number(bottom);
}

/** Return p/q in percent. */
export function percent(text, digits = 2) {
  const value = ratio(text);
  return value === null ? null : `${(100 * value).toFixed(digits)} %`;
}
