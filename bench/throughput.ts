/** Pass-through: how fast a tool's output gets out, against the same output without us and under others. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, type Report, short } from "./figures.js";
import { OuterTerminal } from "./outer-terminal.js";
import { endPeers, NODE_PTY, type Peer, peers } from "./peers.js";
import { type Stream, STREAMS, writeStream } from "./streams.js";

const ROUNDS = 5;
/** So much goes first and is not counted: by then all is loaded, and what runs hot is compiled. The start has a table of its own. */
const WARM_UP_MB = 32;
const WARM = "-WARMED-UP-";
const MARK = "-END-OF-STREAM-";

/** The same kind of output, twice: what goes first, and what is measured. */
interface Files {
  readonly warmUp: string;
  readonly stream: string;
}

async function secondsFor(
  { wrap }: Peer,
  { warmUp, stream }: Files,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  // Marks are put together by the shell: no title and no status line that shows the command can be taken for one. On a line of its own a
  // multiplexer draws it in one piece.
  const script = [
    `cat ${warmUp}; printf '\\n%s%s' -WARMED -UP-; read -r go`,
    `cat ${stream}; printf '\\n%s%s' -END-OF -STREAM-; exec sleep 600`,
  ];
  const terminal = new OuterTerminal(wrap(["sh", "-c", script.join("; ")]), env);
  await terminal.until(WARM);
  const begun = performance.now();
  terminal.press("\r");
  const end = await terminal.until(MARK);
  await terminal.close();
  endPeers();
  return (end - begun) / 1000;
}

export async function throughput(env: Readonly<Record<string, string>>): Promise<readonly Report[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const reports: Report[] = [];
  for (const stream of STREAMS) {
    const files = {
      warmUp: writeStream(folder, { ...stream, name: "warm-up", megabytes: WARM_UP_MB }),
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
  const seconds = new Map<Peer, number[]>(all.map((peer) => [peer, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const peer of all) seconds.get(peer)?.push(await secondsFor(peer, files, env));
  const rate = (peer: Peer): number => megabytes / median(seconds.get(peer) ?? []);
  const loop = rate(NODE_PTY);
  const tmux = all.find((peer) => peer.redraws);
  const rows = all.map((peer) => [
    peer.name,
    short(rate(peer)),
    short(rate(peer) / loop),
    tmux ? short(rate(peer) / rate(tmux)) : "–",
  ]);
  const text = `${megabytes} MB after ${WARM_UP_MB} MB to warm up, median of ${ROUNDS} interleaved rounds.`;
  return { title: `Throughput: ${name}`, text, columns: ["", "MB/s", "× node-pty loop", "× tmux"], rows };
}
