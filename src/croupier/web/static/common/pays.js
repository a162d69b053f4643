// Pay tables in words: what each bet pays, from the odds where they say it, else from the tables of the rules.

const read = new WeakMap();

// A row names its bets: `red`, `black`, or one of a kind: `straight:17`. The first row of a kind speaks for all of it.
function readTables(tables) {
  const found = new Map();
  for (const { columns, rows } of tables) {
    const [bet, pays] = [columns.indexOf("bet"), columns.indexOf("pays")];
    if (bet < 0 || pays < 0) continue;
    for (const row of rows) {
      if (/^\d+ or \d+ to 1$/.test(row[pays])) continue; // two kinds in one row: which is which stands elsewhere
      for (const [, name, kind] of row[bet].matchAll(/`(([a-z_]+)(?::[0-9-]+)?)`/g)) {
        if (!found.has(name)) found.set(name, row[pays]);
        if (!found.has(kind)) found.set(kind, row[pays]);
      }
    }
  }
  return found;
}

/** Return what a bet pays, such as "35 to 1", or null. */
export function paysOf(ctx, bet) {
  const tables = ctx.game.pay_tables;
  if (tables && !read.has(tables)) read.set(tables, readTables(tables));
  const known = tables ? read.get(tables) : new Map();
  return ctx.pays(bet) ?? known.get(bet) ?? known.get(bet.split(":")[0]) ?? null;
}
