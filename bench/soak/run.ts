/**
 * `npm run soak [-- --minutes 10 --sessions 50 --seed 1 --out FILE.svg]`: many sessions with a random load, while workers, tools and the
 * hub are killed and stopped. Memory, descriptors, threads and the ledger must stay flat; exit code 1 if one grew. Linux, as root.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { OuterTerminal } from "../outer-terminal.js";
import { hub, OURS } from "../peers.js";
import { commandBelow, findHubPid } from "../processes.js";
import { drawSamples } from "./plot.js";
import { createRandom } from "./random.mjs";
import { findGrowth, takeSample, type Sample } from "./samples.js";

const TOOL = fileURLToPath(new URL("tool.mjs", import.meta.url));
const LOOP_MS = 250;
const SAMPLE_EVERY_S = 5;
const FAULT_EVERY_S = 20;
/** A hub that is stopped (SIGSTOP) goes on after this. */
const STOPPED_MS = 3000;
/** The engine of a worker compiles and collects until then. */
const SETTLED_S = 60;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    sessions: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: "soak.svg" },
  },
});
const seconds = Number(values.minutes) * 60;
const random = createRandom(Number(values.seed));
const home = mkdtempSync(join(tmpdir(), "soak-"));
const bridge = join(home, "bridge");
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
  ATLASBRIDGE_HOME: bridge,
};

interface Session {
  readonly terminal: OuterTerminal;
  readonly since: number;
}

const begun = performance.now();
const elapsed = (): number => (performance.now() - begun) / 1000;
const sessions: Session[] = [];
const samples: Sample[] = [];
const faults: number[] = [];

function startSession(): Session {
  const tool = [process.execPath, TOOL, String(random(2 ** 31))];
  return { terminal: new OuterTerminal(OURS.wrap(tool), env), since: elapsed() };
}

/** Kills or stops something. Where there is nothing of the kind just then, nothing happens. */
async function causeFault(): Promise<void> {
  const index = random(sessions.length);
  const worker = commandBelow(sessions[index]?.terminal.pid ?? 0);
  const hubPid = findHubPid(bridge);
  const kinds = [
    () => process.kill(worker, "SIGKILL"),
    () => process.kill(worker, "SIGTERM"),
    () => hubPid !== null && process.kill(hubPid, "SIGKILL"),
    async () => {
      if (hubPid === null) return;
      process.kill(hubPid, "SIGSTOP");
      await pause(STOPPED_MS);
      process.kill(hubPid, "SIGCONT");
    },
  ];
  const kind = random(kinds.length);
  await kinds[kind]?.();
  if (kind > 1) return;
  await sessions[index]?.terminal.close();
  sessions[index] = startSession();
}

function answerSome(): void {
  // Whoever asks nothing just then reads it as an empty line of talk.
  for (const { terminal } of sessions) if (random(40) === 0) terminal.press("y\r");
}

async function soak(): Promise<void> {
  for (let nextSample = SAMPLE_EVERY_S, nextFault = FAULT_EVERY_S; elapsed() < seconds;) {
    await pause(LOOP_MS);
    if (sessions.length < Number(values.sessions)) sessions.push(startSession());
    answerSome();
    if (elapsed() >= nextFault) {
      faults.push(elapsed());
      await causeFault().catch((error: unknown) =>
        console.log(`a fault could not be caused: ${String(error)}`),
      );
      nextFault = elapsed() + FAULT_EVERY_S;
    }
    if (elapsed() < nextSample) continue;
    const settled = sessions.filter(({ since }) => elapsed() - since > Math.min(SETTLED_S, seconds / 4));
    samples.push(
      takeSample(
        bridge,
        settled.map(({ terminal }) => terminal.pid),
        elapsed(),
      ),
    );
    nextSample += SAMPLE_EVERY_S;
  }
}

try {
  hub("start", env);
  await soak();
} finally {
  await Promise.all(sessions.map(({ terminal }) => terminal.close()));
  hub("stop", env);
  rmSync(home, { recursive: true, force: true });
}

const machine = `Node ${process.versions.node}, ${process.platform}, ${cpus().length} cores, load ${(loadavg()[0] ?? NaN).toFixed(1)} at the end`;
const length = `${values.sessions} sessions, ${values.minutes} minutes, ${faults.length} faults, seed ${values.seed}`;
writeFileSync(values.out, drawSamples(samples, faults, `${length} · ${machine}`));
const growth = findGrowth(samples);
console.log(`${length}; ${samples.at(-1)?.prompts ?? 0} prompts. ${machine}. Drawn in ${values.out}.`);
console.log(growth.length === 0 ? "Everything stayed flat." : `Grown:\n${growth.join("\n")}`);
process.exitCode = growth.length === 0 ? 0 : 1;
