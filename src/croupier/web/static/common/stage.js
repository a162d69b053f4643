// The stage: scales a table, laid out at its own size, to the room there is, never larger than it was drawn.
// The felt says which shape that room has (`data-shape`): wide, tall like a phone, or flat like a phone on its side.

const LEAST = 0.5;
const MOST = 2.2;
const STEPS = 7;

function shapeOf(width, height) {
  if (height < 330 && width > 1.6 * height) return "flat";
  return width < 1.1 * height || width < 620 ? "tall" : "wide";
}

/** Keep what stands in `play` as large as fits. `felt` gets the shape, and an event "shape" when it changes. Returns how to stop. */
export function fitStage(felt, play) {
  let size = "";
  let scale = 1;

  const inner = () => play.firstElementChild;
  const setScale = (next) => inner().style.setProperty("zoom", String((scale = next)));
  /** Return how much of its room the table takes, 1 where it fills it: by its height, and by its width where that is too much. */
  const taken = () => {
    const [box, room] = [inner().getBoundingClientRect(), play.getBoundingClientRect()];
    const wide = [box.width, room.width, inner().scrollWidth, inner().clientWidth];
    const isWide = wide[0] > wide[1] + 1 || wide[2] > wide[3] + 1;
    // Half a pixel more is no scrolling, and a table that fills its room at every scale may come to a fraction of one.
    return Math.max(box.height / (room.height + 0.5), isWide ? Math.max(wide[0] / wide[1], wide[2] / wide[3]) : 0);
  };

  // Every look is a layout, so it goes by what the last one showed, and halves every other time: some tables hardly shrink.
  function fit() {
    const [width, height] = [play.clientWidth, play.clientHeight];
    if (!inner() || !width || !height) return;
    const shape = shapeOf(width, height);
    if (felt.dataset.shape !== shape) {
      felt.dataset.shape = shape;
      felt.dispatchEvent(new Event("shape"));
    }
    let [low, high] = [LEAST, MOST];
    for (let step = 0; step < STEPS && high - low > 0.01; step += 1) {
      setScale(Math.max(low, Math.min(high, scale)));
      const part = taken();
      if (part > 1) high = scale;
      else low = scale;
      if (part <= 1 && (part > 0.985 || scale === MOST)) return;
      const guess = (scale / part) * 0.995;
      if (step % 2 === 0 && guess > low && guess < high) scale = guess;
      else scale = part <= 1 && guess >= high && high === MOST ? MOST : (low + high) / 2;
    }
    setScale(low);
  }

  // What lies on the table comes and goes: it shrinks when it must, and grows again only with its room, or it would sway.
  const watch = new ResizeObserver(() => {
    const now = `${play.clientWidth}/${play.clientHeight}`;
    if (now === size && taken() <= 1) return;
    size = now;
    fit();
  });
  watch.observe(play);
  if (inner()) watch.observe(inner());
  fit();
  return () => watch.disconnect();
}
