/**
 * `npm run bench [-- suite…] [--write]`: measures against named peers in the same run. `--write` puts the tables into
 * docs/reference/performance.md, in place of those of the same suites. Figures of a busy machine mean nothing: run it on a quiet one.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { answers } from "./answers.js";
import { asking } from "./asking.js";
import { markdown, type Report, withFigures } from "./figures.js";
import { latency } from "./latency.js";
import { hub } from "./peers.js";
import { resident } from "./resident.js";
import { startUp } from "./start-up.js";
import { throughput } from "./throughput.js";

type Suite = (env: Readonly<Record<string, string>>) => Promise<readonly Report[]>;
const SUITES: Readonly<Record<string, Suite>> = {
  "start-up": startUp,
  latency,
  throughput,
  resident,
  asking,
  answers,
};

const PAGE = new URL("../docs/reference/performance.md", import.meta.url);

const words = process.argv.slice(2);
const names = words.filter((word) => word !== "--write");
const unknown = names.find((name) => !(name in SUITES));
if (unknown !== undefined) {
  console.error(`no suite ${unknown}; there are ${Object.keys(SUITES).join(", ")}`);
  process.exit(1);
}

const home = mkdtempSync(join(tmpdir(), "bench-home-"));
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
  ATLASBRIDGE_HOME: join(home, "bridge"),
};
try {
  hub("start", env);
  for (const [name, suite] of Object.entries(SUITES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const load = (loadavg()[0] ?? NaN).toFixed(1);
    const machine = `Node ${process.versions.node}, ${process.platform}, ${cpus().length} cores, load ${load} at the start.`;
    const tables = (await suite(env)).map(markdown);
    const figures = [machine, ...tables].join("\n\n");
    console.log(figures);
    if (words.includes("--write"))
      writeFileSync(PAGE, withFigures(readFileSync(PAGE, "utf8"), name, figures));
  }
} finally {
  hub("stop", env);
  rmSync(home, { recursive: true, force: true });
}
