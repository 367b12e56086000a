// Plays the hub to whoever connects, with the secret from the user's files and the process ids that the kernel reports.
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { facts, home, killHub, main, native, protocol, socket, until } from "./common.mjs";

/** Until the hub has put its address right. */
export function playAtOwnAddress() {
  const [path, address] = [join(home, "evil.sock"), join(home, "hub.address")];
  return playHub(path, {
    publish: () => writeFileSync(address, `${path}\n`),
    isMended: () => !readFileSync(address, "utf8").includes(path),
  });
}

/** Until the hub has put its socket right. */
export function playInItsPlace() {
  rmSync(socket, { force: true });
  let own = 0;
  return playHub(socket, {
    publish: () => (own = statSync(socket).ino),
    isMended: () => (statSync(socket, { throwIfNoEntry: false })?.ino ?? own) !== own,
  });
}

/** In the place of a hub that was killed, with its lock, until that session has turned away. */
export async function playInItsStead(session) {
  await killHub();
  const lock = await until(takeLock, "the lock");
  rmSync(socket, { force: true });
  const outcome = await playHub(socket, { session });
  lock.close();
  return outcome;
}

/** A worker may have started another hub meanwhile: whoever holds the lock is killed, too, and then this returns null. */
function takeLock() {
  const Database = createRequire(main)("better-sqlite3");
  const file = join(home, "hub.lock.db");
  const database = new Database(file, { timeout: 0 });
  try {
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch {
    database.close();
    findLockHolders(file).forEach(kill);
    return null;
  }
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It has ended by itself.
    if (error.code !== "ESRCH") throw error;
  }
}

function findLockHolders(file) {
  const { ino } = statSync(file);
  const locks = readFileSync("/proc/locks", "utf8").split("\n");
  const ofFile = locks
    .map((line) => line.trim().split(/\s+/))
    .filter((words) => words[5]?.endsWith(`:${ino}`));
  return new Set(ofFile.map((words) => Number(words[4])));
}

/** It got through when `session` talks to it as to the hub. */
async function playHub(path, { session = facts.own, publish = () => undefined, isMended = () => false }) {
  let isTrusted = false;
  let hasTurnedAway = false;
  const secret = Buffer.from(readFileSync(join(home, "hub.secret"), "utf8").trim(), "hex");
  const server = createServer((stream) => {
    const callerPid = findPeer(stream);
    let rest = "";
    stream.on("error", () => undefined);
    stream.on("close", () => (hasTurnedAway ||= callerPid === session.pid));
    stream.on("data", (bytes) => {
      const lines = (rest + bytes).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const { id, method, params } = JSON.parse(line);
        if (method === "session.open" && params.sessionId === session.sessionId) isTrusted = true;
        const result = resultFor(method, params, callerPid, secret);
        stream.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
      }
    });
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(path, resolve));
  publish();
  await until(() => isTrusted || hasTurnedAway || isMended(), "the end of the false hub");
  server.close();
  return { approved: isTrusted, said: isTrusted ? "the session trusted the false hub" : "it trusted nobody" };
}

function resultFor(method, params, callerPid, secret) {
  if (method === "session.open") return { protocol, version: "0.1.0", places: [], draining: false };
  if (method !== "hub.hello") return {};
  const challenge = randomBytes(32).toString("hex");
  const hello = { protocol, oldest: protocol, version: "0.1.0", pid: process.pid };
  const subject = JSON.stringify(["atlasbridge", "hub", params.challenge, challenge, callerPid, process.pid]);
  return { ...hello, challenge, proof: createHmac("sha256", secret).update(subject).digest("hex") };
}

function findPeer(stream) {
  const credentials = Buffer.alloc(12);
  native().getsockopt(stream._handle.fd, 1, 17, credentials, [12]);
  return credentials.readInt32LE(0);
}
