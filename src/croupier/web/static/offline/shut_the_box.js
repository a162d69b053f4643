// Shut the Box as a class that is ready when this module is: `import { Game } from "./shut_the_box.js"` and play.

import init from "./shut-the-box.js";

export { default, Game } from "./shut-the-box.js";
await init();
