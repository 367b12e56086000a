/** A session that a tool opens as if it had started its worker itself takes the power to answer from that tool alone (Linux). */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCallerCheck } from "../../../../src/hub/serve/caller-check.js";
import type { Worker } from "../../../../src/hub/serve/supervision.js";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import { readDescentMark } from "../../../../src/observe/process-facts.js";
import { readProcessStartTime } from "../../../../src/observe/process-life.js";

/** Started by a tool; it is this process, above which there need be no terminal. */
const OWN: Worker = {
  sessionId: asId<SessionId>("s1"),
  pid: process.pid,
  startTime: readProcessStartTime(process.pid),
  underTool: true,
};
/** Of a worker from which this process descends. */
const MARK_ABOVE = readDescentMark("self");

async function isRefused(worker: Worker, highestMark: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "caller-"));
  const server = createServer();
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => server.listen(join(folder, "s"), resolve));
  const client = connect(join(folder, "s"));
  try {
    const find = openCallerCheck({ listWorkers: () => [worker], highestMark }, () => undefined);
    return find(await accepted).isSupervised();
  } finally {
    client.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

it.runIf(process.platform === "linux").each<[string, Worker, number, boolean]>([
  ["refuses all without a terminal where nothing tells what the tool started", OWN, -1, true],
  ["refuses nobody else where the tool descends from a worker", OWN, MARK_ABOVE, false],
  ["refuses all where that worker has exited", { ...OWN, startTime: "1" }, MARK_ABOVE, true],
])("%s", async (_, worker, highestMark, expected) => {
  expect(await isRefused(worker, highestMark)).toBe(expected);
});
