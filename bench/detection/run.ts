/** `npm run bench:detection [-- --write]`: how well the corpus is read. `--write` puts the tables into docs/reference/accuracy.md. */
import { markdown } from "../figures.js";
import { costOfALook } from "./cost.js";
import { costByChange } from "./huge.js";
import { latePrompts } from "./late.js";
import { figuresOf, measureCorpus, publish } from "./page.js";

const measures = await measureCorpus();
const figures = figuresOf(measures);
console.log(`${figures}\n`);
console.log(markdown(latePrompts(measures)));
console.log(markdown(await costOfALook()));
console.log(markdown(await costByChange()));
if (process.argv.includes("--write")) publish(figures);
