/** Pass-through: how fast a tool's output gets out, against the same output without us and under others; warm, and from a session's start. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { median, type Report, short } from "./figures.js";
import { OuterTerminal } from "./outer-terminal.js";
import { endPeers, NODE_PTY, type ComparedTool, peers } from "./peers.js";
import { type Stream, STREAMS, writeStream } from "./streams.js";

const ROUNDS = 5;
/** So much goes first and is not counted: by then all is loaded, and what runs hot is compiled. The start has a table of its own. */
const WARM_UP_MB = 32;
/** A cold session has loaded what it loads by itself, and compiled nothing: on a quiet machine that takes a fraction of this. */
const LOADED_MS = 1500;
const WARM = "-WARMED-UP-";
const MARK = "-END-OF-STREAM-";

/** The same kind of output, twice: what goes first (null: nothing), and what is measured. */
interface Files {
  readonly warmUp: string | null;
  readonly stream: string;
}

async function secondsFor(
  { wrap }: ComparedTool,
  { warmUp, stream }: Files,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  // Marks are put together by the shell: no title and no status line that shows the command can be taken for one. On a line of its own a
  // multiplexer draws it in one piece.
  const script = [
    `${warmUp === null ? "" : `cat ${warmUp}; `}printf '\\n%s%s' -WARMED -UP-; read -r go`,
    `cat ${stream}; printf '\\n%s%s' -END-OF -STREAM-; exec sleep 600`,
  ];
  const terminal = new OuterTerminal(wrap(["sh", "-c", script.join("; ")]), env);
  await terminal.until(WARM);
  if (warmUp === null) await pause(LOADED_MS);
  const begun = performance.now();
  terminal.press("\r");
  const end = await terminal.until(MARK);
  await terminal.close();
  endPeers();
  return (end - begun) / 1000;
}

/** `isCold`: measures from a session's first megabyte on, as every session of a person begins. */
export async function throughput(
  env: Readonly<Record<string, string>>,
  isCold: boolean,
): Promise<readonly Report[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const reports: Report[] = [];
  for (const stream of STREAMS) {
    const files = {
      warmUp: isCold ? null : writeStream(folder, { ...stream, name: "warm-up", megabytes: WARM_UP_MB }),
      stream: writeStream(folder, stream),
    };
    reports.push(await measure(stream, files, env));
  }
  rmSync(folder, { recursive: true });
  return reports;
}

async function measure(
  { name, megabytes }: Stream,
  files: Files,
  env: Readonly<Record<string, string>>,
): Promise<Report> {
  const all = peers();
  const seconds = new Map<ComparedTool, number[]>(all.map((peer) => [peer, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const peer of all) seconds.get(peer)?.push(await secondsFor(peer, files, env));
  const rate = (peer: ComparedTool): number => megabytes / median(seconds.get(peer) ?? []);
  const loop = rate(NODE_PTY);
  const tmux = all.find((peer) => peer.redraws);
  const script = all.find((peer) => peer.name === "script");
  const rows = all.map((peer) => [
    peer.name,
    short(rate(peer)),
    script ? short(rate(peer) / rate(script)) : "–",
    short(rate(peer) / loop),
    tmux ? short(rate(peer) / rate(tmux)) : "–",
  ]);
  const state = files.warmUp === null ? "from the start" : `after ${WARM_UP_MB} MB to warm up`;
  const text = `${megabytes} MB ${state}, median of ${ROUNDS} interleaved rounds.`;
  const title = `${files.warmUp === null ? "Cold throughput" : "Throughput"}: ${name}`;
  return { title, text, columns: ["", "MB/s", "× script", "× node-pty loop", "× tmux"], rows };
}
