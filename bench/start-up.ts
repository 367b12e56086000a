/** How long until the tool's first byte is out. */
import { median, type Report, short } from "./figures.js";
import { OuterTerminal } from "./outer-terminal.js";
import { BARE, endPeers, type ComparedTool, peers, UNRELAYED } from "./peers.js";

const ROUNDS = 15;
const TOOL = ["sh", "-c", "printf '%s%s' -UP AND-; exec sleep 600"];
const NODE: ComparedTool = {
  name: "node -e (a first byte)",
  wrap: () => [process.execPath, "-e", "process.stdout.write('-UP' + 'AND-')"],
};

async function msToFirstByte({ wrap }: ComparedTool, env: Readonly<Record<string, string>>): Promise<number> {
  const begun = performance.now();
  const terminal = new OuterTerminal(wrap(TOOL), env);
  const up = await terminal.until("-UPAND-");
  await terminal.close();
  endPeers();
  return up - begun;
}

export async function startUp(env: Readonly<Record<string, string>>): Promise<readonly Report[]> {
  const all = [NODE, ...peers().filter((peer) => peer !== BARE), UNRELAYED];
  const times = new Map<ComparedTool, number[]>(all.map((peer) => [peer, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const peer of all) times.get(peer)?.push(await msToFirstByte(peer, env));
  const base = median(times.get(NODE) ?? []);
  const rows = all.map((peer) => {
    const ms = median(times.get(peer) ?? []);
    return [peer.name, short(ms), short(ms / base)];
  });
  const text = `From the start of the command to the tool's first byte; median of ${ROUNDS} interleaved rounds. The hub runs.`;
  return [{ title: "Start", text, columns: ["", "ms", "× node -e"], rows }];
}
