// The same `Game` already initialised, for pages that write `import { Game } from "./shut_the_box.js"` and play.

import init from "./shut-the-box.js";

export { default, Game } from "./shut-the-box.js";
await init();
