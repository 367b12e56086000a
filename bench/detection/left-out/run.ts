/** `npm run bench:left-out [-- --write]`: an estimate for dialogs that nobody has recorded; `--write` puts it into docs/reference/accuracy.md. */
import { markdown } from "../../figures.js";
import { publishLeftOut } from "../page.js";
import { measureLeftOut } from "./measure.js";
import { leftOutTable } from "./tables.js";

const trials = await measureLeftOut();
const table = markdown(leftOutTable(trials));
console.log(table);
if (process.argv.includes("--write")) publishLeftOut(table);
