/** docs/reference/accuracy.md: its text is written by hand, its tables by `npm run bench:detection -- --write`. */
import { readFileSync, writeFileSync } from "node:fs";
import { findScenarios } from "../../prompt-lab/scenario/find-scenarios.js";
import { replayScenario } from "../../prompt-lab/replay/run-scenario.js";
import { createAdapterLoader } from "../../src/plugins/adapters/adapters.js";
import { markdown } from "../figures.js";
import { measure, type Measure } from "./measure.js";
import { makeTables } from "./tables.js";

const PAGE = new URL("../../docs/reference/accuracy.md", import.meta.url);
const BEGIN = "<!-- figures: npm run bench:detection -- --write -->";
const END = "<!-- end of figures -->";
/** No adapters of whoever runs this. */
const SHIPPED_ONLY = { adaptersDir: "" };

/** Our own scripted agent asks what we made it ask. */
export const OWN = "demo-agent";

/** The whole corpus, with the adapters of this checkout, played by `play`; screens that were drawn by hand are no evidence of accuracy. */
export async function measureCorpus(play = replayScenario): Promise<readonly Measure[]> {
  const load = createAdapterLoader(SHIPPED_ONLY);
  const measures: Measure[] = [];
  for (const scenario of findScenarios(["prompt-lab/scenarios"])) {
    const adapter = await load(scenario.tool);
    if (!adapter.tested || scenario.tool === OWN) continue;
    measures.push(await measure(scenario, await play(scenario, adapter), adapter));
  }
  return measures;
}

export function formatFigures(measures: readonly Measure[]): string {
  return makeTables(measures).map(markdown).join("\n\n");
}

export function publishedFigures(): string {
  const page = readFileSync(PAGE, "utf8");
  return page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)).trim();
}

const LEFT_OUT: Marks = {
  begin: "<!-- left out: npm run bench:left-out -- --write -->",
  end: "<!-- end of left out -->",
};

interface Marks {
  readonly begin: string;
  readonly end: string;
}

export function publish(figures: string): void {
  publishBetween({ begin: BEGIN, end: END }, figures);
}

export function publishLeftOut(table: string): void {
  publishBetween(LEFT_OUT, table);
}

function publishBetween({ begin, end }: Marks, figures: string): void {
  const page = readFileSync(PAGE, "utf8");
  const [head] = page.split(begin);
  const tail = page.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error("docs/reference/accuracy.md lost its marks");
  writeFileSync(PAGE, `${head}${begin}\n\n${figures}\n\n${end}${tail}`);
}
