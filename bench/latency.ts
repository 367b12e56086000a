/** Keystrokes: from a key put into our terminal until its echo comes out of it. */
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median, quantile, type Report, short } from "./figures.js";
import { OuterTerminal } from "./outer-terminal.js";
import { endPeers, type ComparedTool, peers } from "./peers.js";

const KEYS = 200;
const ROUNDS = 2;
/** Let the echo of one key be over before the next. */
const GAP_MS = 4;
/** An echo that takes longer was never drawn: under a flood a multiplexer leaves out what scrolls by. */
const ECHO_WITHIN_MS = 2_000;
/** What no background writes. */
const KEY = "Q";

const NOISE = fileURLToPath(new URL("noise.mjs", import.meta.url));
const LOADS = [
  { name: "idle", noise: null },
  { name: "1 MB/s beside it", noise: "1" },
  { name: "a flood beside it", noise: "flood" },
] as const;

export async function latency(env: Readonly<Record<string, string>>): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (const load of LOADS) reports.push(await measure(load, env));
  return reports;
}

async function measure(
  { name, noise }: (typeof LOADS)[number],
  env: Readonly<Record<string, string>>,
): Promise<Report> {
  const quiet = noise === null ? "" : `${process.execPath} ${NOISE} ${noise} & `;
  const inner = ["sh", "-c", `stty raw -echo; printf '%s%s' -REA DY-; ${quiet}exec cat`];
  // Where only a part of the output is drawn, an echo that never came says nothing.
  const all = peers().filter((peer) => noise === null || !peer.redraws);
  const times = new Map<ComparedTool, number[]>(all.map((peer) => [peer, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const peer of all) times.get(peer)?.push(...(await echoes(peer, inner, env)));
  const [bare] = all;
  const base = bare ? median(times.get(bare) ?? []) : NaN;
  const rows = all.map((peer) => {
    const found = times.get(peer) ?? [];
    return [
      peer.name,
      micros(median(found)),
      micros(median(found) - base),
      micros(quantile(found, 0.99)),
      String(KEYS * ROUNDS - found.length),
    ];
  });
  const text = `${KEYS * ROUNDS} keys each, in ${ROUNDS} interleaved rounds.`;
  const columns = ["", "median µs", "added µs", "p99 µs", "echoes missing"];
  return { title: `Keystroke latency: ${name}`, text, columns, rows };
}

async function echoes(
  peer: ComparedTool,
  inner: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number[]> {
  const terminal = new OuterTerminal(peer.wrap(inner), env);
  await terminal.until("-READY-");
  await pause(500); // The hub is joined and the screen model warm: this measures keys, not the start.
  const times: number[] = [];
  for (let key = 0; key < KEYS; key++) {
    const echo = terminal.until(KEY, ECHO_WITHIN_MS);
    const pressed = performance.now();
    terminal.press(KEY);
    await echo.then((at) => times.push(at - pressed)).catch(() => undefined);
    await pause(GAP_MS);
  }
  await terminal.close();
  endPeers();
  return times;
}

function micros(ms: number): string {
  return short(ms * 1000);
}
