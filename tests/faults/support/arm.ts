/** Arms the fail points of the process it is loaded into. Part of the suite's own build, never of the product. */
import { subscribe } from "node:diagnostics_channel";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { armFailPoints, type FailPoint } from "../../../src/observe/fail-point.js";
import { logKeys } from "./key-log.js";
import { awaitOrder, awaitOrderBlocking, claimStop, DISK_FULL, faultFolder, type Order } from "./orders.js";

const folder = faultFolder(process.env["ATLASBRIDGE_HOME"] ?? "");

logKeys(folder);

/** The worker reads its terminal while it is stopped; a hub stands still as a whole. */
const OF_THE_WORKER: readonly FailPoint[] = ["before_text", "between_text_and_enter", "after_enter"];

/** Less than what questions have until they expire. */
const CLOCK_JUMP_MS = 20 * 60_000;
/** SQLite's own limit. */
const PAGES_MAX = 4_294_967_294;

const sockets = new Set<Socket>();
for (const channel of ["net.client.socket", "net.server.socket"])
  subscribe(channel, (message) => {
    const { socket } = message as { socket: Socket };
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

let clockOffsetMs = 0;
const realNow = Date.now.bind(Date);
Date.now = () => realNow() + clockOffsetMs;

armFailPoints((point, subject) => {
  if (point === "transaction") limitDisk(subject as Database.Database);
  else if (claimStop(folder, point)) {
    if (OF_THE_WORKER.includes(point)) return awaitOrder(folder, point).then(obey);
    obey(awaitOrderBlocking(folder, point));
  }
  return undefined;
});

function obey(order: Order): void {
  if (order === "cut") cutLines();
  if (order === "clock_forward") clockOffsetMs += CLOCK_JUMP_MS;
  if (order === "clock_back") clockOffsetMs -= CLOCK_JUMP_MS;
}

/** Sockets between processes of ours; those of the network have an address. */
function cutLines(): void {
  for (const socket of sockets) if (socket.remoteAddress === undefined) socket.destroy();
}

let isFull = false;

function limitDisk(sqlite: Database.Database): void {
  const shouldBeFull = existsSync(join(folder, DISK_FULL));
  if (shouldBeFull === isFull) return;
  isFull = shouldBeFull;
  sqlite.pragma(`max_page_count = ${isFull ? 1 : PAGES_MAX}`);
}
