/** What one look costs: the rules of an adapter on the last picture of its recordings at 120×40. Real time, of this machine. */
import { findScenarios } from "../../prompt-lab/scenario/find-scenarios.js";
import { createAdapterLoader } from "../../src/plugins/adapters/adapters.js";
import type { View } from "../../src/sdk/view.js";
import { detect } from "../../src/worker/detection/detect.js";
import { replay } from "../../prompt-lab/replay/replay.js";
import { quantile, short, type Report } from "../figures.js";

const SIZE = { cols: 120, rows: 40 };
/** Pictures a tool, so that the run stays short. */
const VIEWS_MAX = 60;
const ROUNDS = 20;

export async function costOfALook(viewsMax = VIEWS_MAX): Promise<Report> {
  const load = createAdapterLoader({ adaptersDir: "" });
  const large = findScenarios(["prompt-lab/scenarios"]).filter(
    ({ cols, rows }) => cols === SIZE.cols && rows === SIZE.rows,
  );
  const rows: string[][] = [];
  for (const tool of [...new Set(large.map((scenario) => scenario.tool))].sort()) {
    const adapter = await load(tool);
    const times: number[] = [];
    for (const { events, tty } of large.filter((scenario) => scenario.tool === tool).slice(0, viewsMax)) {
      const { view } = await replay(adapter, events, { ...SIZE, tty });
      for (let round = 0; round < ROUNDS; round++)
        times.push(measureTime(() => detect(adapter, fresh(view), tty)));
    }
    rows.push([tool, short(quantile(times, 0.5)), short(quantile(times, 0.95))]);
  }
  return {
    title: "What one look costs",
    text: `Detection on one picture of ${SIZE.cols}×${SIZE.rows}, in ms of this machine.`,
    columns: ["tool", "median ms", "p95 ms"],
    rows,
  };
}

/** What was read of a view is kept with it; another object is read anew. */
function fresh(view: View): View {
  return { ...view };
}

function measureTime(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
