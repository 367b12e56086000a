/**
 * `npm run bench:detection [-- --write] [--against REF|FILE] [--keep-cost FILE]`: how well the corpus is read. `--write` puts the tables into
 * docs/reference/accuracy.md. `--against` measures only what a look costs, beside another commit or figures that `--keep-cost` kept.
 */
import { parseArgs } from "node:util";
import { markdown } from "../figures.js";
import { compareCost, keepCost } from "./against.js";
import { costOfALook } from "./cost.js";
import { costByChange } from "./huge.js";
import { formatFigures, measureCorpus, publish } from "./page.js";
import { latePrompts } from "./tables.js";

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    against: { type: "string" },
    "keep-cost": { type: "string" },
  },
});

if (values["keep-cost"] !== undefined) await keepCost(values["keep-cost"]);
if (values.against === undefined) await measureAll(values.write);
else console.log(markdown(await compareCost(values.against)));

async function measureAll(isPublished: boolean): Promise<void> {
  const measures = await measureCorpus();
  const figures = formatFigures(measures);
  console.log(`${figures}\n`);
  console.log(markdown(latePrompts(measures)));
  console.log(markdown(await costOfALook()));
  console.log(markdown(await costByChange()));
  if (isPublished) publish(figures);
}
