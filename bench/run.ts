/**
 * `npm run bench [-- suite…] [--write] [--json]`: measures against named peers in the same run. `--write` puts the tables and their plots
 * into docs/reference/performance.md, in place of those of the same suites; `--json` prints one JSON object for each suite instead of
 * tables. Figures of a busy machine mean nothing: run it on a quiet one.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { answers } from "./answers.js";
import { asking } from "./asking.js";
import { markdown, type Report, withFigures } from "./figures.js";
import { growth } from "./growth.js";
import { latency } from "./latency.js";
import { hub } from "./peers.js";
import { drawReports } from "./plot.js";
import { consoleCommands } from "./console.js";
import { policy } from "./policy.js";
import { readers } from "./readers.js";
import { resident } from "./resident.js";
import { startUp } from "./start-up.js";
import { throughput } from "./throughput.js";

type Suite = (env: Readonly<Record<string, string>>) => Promise<readonly Report[]>;
const SUITES: Readonly<Record<string, Suite>> = {
  "start-up": startUp,
  latency,
  throughput: (env) => throughput(env, false),
  "throughput-cold": (env) => throughput(env, true),
  readers,
  resident,
  growth,
  asking,
  answers,
  policy,
  console: consoleCommands,
};

const PLOTS = new URL("../docs/reference/plots", import.meta.url);
const PAGE = new URL("../docs/reference/performance.md", import.meta.url);

const words = process.argv.slice(2);
const names = words.filter((word) => word !== "--write" && word !== "--json");
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
    const [version, cores] = [process.versions.node, cpus().length];
    const reports = await suite(env);
    const machine = `Node ${version}, ${process.platform}, ${cores} cores, load ${load} at the start.`;
    const figures = [machine, ...reports.map(markdown)].join("\n\n");
    const machineFigures = { node: version, platform: process.platform, cores, load: Number(load) };
    console.log(
      words.includes("--json") ? JSON.stringify({ suite: name, machine: machineFigures, reports }) : figures,
    );
    if (!words.includes("--write")) continue;
    mkdirSync(PLOTS, { recursive: true });
    writeFileSync(new URL(`${name}.svg`, PLOTS), drawReports(reports));
    const illustrated = `${figures}\n\n![The first column of each table as bars](plots/${name}.svg)`;
    writeFileSync(PAGE, withFigures(readFileSync(PAGE, "utf8"), name, illustrated));
  }
} finally {
  hub("stop", env);
  rmSync(home, { recursive: true, force: true });
}
