/**
 * Terminals that take output as people's do: at once, slowly, or at the end of a long line. How fast output gets there, and how soon
 * Ctrl-C shows: what a wrapper has buffered comes before it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { median, type Report, short } from "./figures.js";
import { OuterTerminal, type OuterReader } from "./outer-terminal.js";
import { endPeers, type ComparedTool, peers } from "./peers.js";
import { STREAMS, writeStream } from "./streams.js";

const ROUNDS = 5;
const MEGABYTES = 2;
/** Ctrl-C comes after so much: by then every buffer on the way is full. */
const INTERRUPT_AFTER_BYTES = 1_000_000;
const LOOK_EVERY_MS = 1;

const READERS: readonly (OuterReader | null)[] = [
  null,
  { name: "a slow terminal: 1 MB/s", windowBytes: 4096, bytesPerMs: 1_000, delayMs: 0 },
  {
    name: "over SSH: 40 ms each way, a window of 128 KB",
    windowBytes: 128 * 1024,
    bytesPerMs: 10_000,
    delayMs: 40,
  },
];

interface Measured {
  readonly seconds: number;
  readonly interruptMs: number;
}

export async function readers(env: Readonly<Record<string, string>>): Promise<readonly Report[]> {
  const [plain] = STREAMS;
  if (plain === undefined) return [];
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const file = writeStream(folder, { ...plain, megabytes: MEGABYTES });
  const reports: Report[] = [];
  for (const reader of READERS) reports.push(await measureReader(reader, file, env));
  rmSync(folder, { recursive: true });
  return reports;
}

async function measureReader(
  reader: OuterReader | null,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Report> {
  const all = peers();
  const measured = new Map<ComparedTool, Measured[]>(all.map((peer) => [peer, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const peer of all) measured.get(peer)?.push(await measurePeer(peer, reader, file, env));
  return {
    title: `Readers: ${reader?.name ?? "a terminal that takes everything at once"}`,
    text: `${MEGABYTES} MB of plain text from the start; then Ctrl-C in the middle of a flood, until the next line is there. Median of ${ROUNDS} interleaved rounds.`,
    columns: ["", "MB/s", "Ctrl-C, ms"],
    rows: all.map((peer) => {
      const rounds = measured.get(peer) ?? [];
      const seconds = median(rounds.map((each) => each.seconds));
      return [
        peer.name,
        short(MEGABYTES / seconds),
        short(median(rounds.map(({ interruptMs }) => interruptMs))),
      ];
    }),
  };
}

async function measurePeer(
  { wrap }: ComparedTool,
  reader: OuterReader | null,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Measured> {
  // The shell outlives Ctrl-C and puts the marks together: no title that shows the command can be taken for one.
  const script = [
    "trap : INT",
    `printf '\\n%s%s' -READ Y-; read -r go; cat ${file}; printf '\\n%s%s' -ALL -SHOWN-`,
    `read -r go; while :; do cat ${file} || break; done; printf '\\n%s%s' -INTER RUPTED-; exec sleep 600`,
  ];
  const terminal = new OuterTerminal(wrap(["sh", "-c", script.join("; ")]), env, reader);
  await terminal.until("-READY-");
  const begun = performance.now();
  terminal.press("\r");
  const seconds = ((await terminal.until("-ALL-SHOWN-")) - begun) / 1000;
  const before = terminal.bytes;
  terminal.press("\r");
  while (terminal.bytes - before < INTERRUPT_AFTER_BYTES) await pause(LOOK_EVERY_MS);
  const pressed = performance.now();
  terminal.press("\u0003");
  const interruptMs = (await terminal.until("-INTERRUPTED-")) - pressed;
  await terminal.close();
  endPeers();
  return { seconds, interruptMs };
}
