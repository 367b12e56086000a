/** Pass-through: how fast a tool's output gets out, against the same output without us and under others. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, type Report, short } from "./figures.js";
import { OuterTerminal } from "./outer-terminal.js";
import { endPeers, NODE_PTY, type Peer, peers } from "./peers.js";
import { STREAMS, writeStream } from "./streams.js";

const ROUNDS = 5;
const MARK = "-END-OF-STREAM-";
/** The mark of an empty stream: what it takes to start and to end is no throughput. */
const NOTHING = "/dev/null";

async function secondsFor(
  { wrap }: Peer,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  // The mark is put together by the shell: no title and no status line that shows the command can be taken for it. On a line of its own a
  // multiplexer draws it in one piece.
  const inner = ["sh", "-c", `cat ${file}; printf '\\n%s%s' -END-OF -STREAM-; exec sleep 600`];
  const begun = performance.now();
  const terminal = new OuterTerminal(wrap(inner), env);
  const end = await terminal.until(MARK);
  await terminal.close();
  endPeers();
  return (end - begun) / 1000;
}

export async function throughput(env: Readonly<Record<string, string>>): Promise<readonly Report[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const reports: Report[] = [];
  for (const stream of STREAMS) {
    const file = writeStream(folder, stream);
    reports.push(await measure(stream.name, stream.megabytes, file, env));
  }
  rmSync(folder, { recursive: true });
  return reports;
}

async function measure(
  name: string,
  megabytes: number,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Report> {
  const all = peers();
  const full = new Map<Peer, number[]>(all.map((peer) => [peer, []]));
  const empty = new Map<Peer, number[]>(all.map((peer) => [peer, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const peer of all) {
      empty.get(peer)?.push(await secondsFor(peer, NOTHING, env));
      full.get(peer)?.push(await secondsFor(peer, file, env));
    }
  }
  const rate = (peer: Peer): number =>
    megabytes / Math.max(0.001, median(full.get(peer) ?? []) - median(empty.get(peer) ?? []));
  const loop = rate(NODE_PTY);
  const tmux = all.find((peer) => peer.redraws);
  const rows = all.map((peer) => [
    peer.name,
    short(rate(peer)),
    short(rate(peer) / loop),
    tmux ? short(rate(peer) / rate(tmux)) : "–",
  ]);
  const text = `${megabytes} MB, median of ${ROUNDS} interleaved rounds, start-up subtracted.`;
  return { title: `Throughput: ${name}`, text, columns: ["", "MB/s", "× node-pty loop", "× tmux"], rows };
}
