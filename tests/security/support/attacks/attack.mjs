// One try: attack.mjs CONTEXT NAME FACTS. What came of it is a line in the log: whether something was approved, and what was said.
import { fork, spawn, spawnSync } from "node:child_process";
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { meetHub, proveOn, speakOn, readStartTime } from "../../../fixtures/agents/hub-client.mjs";

const [contextFile, name, factsText] = process.argv.slice(2);
const { socket, log, main, protocol } = JSON.parse(readFileSync(contextFile, "utf8"));
const facts = factsText ? JSON.parse(factsText) : null;
const home = dirname(socket);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A session of this process, as a worker introduces itself. */
function opening(over = {}) {
  return {
    protocol,
    version: "0.1.0",
    sessionId: randomUUID(),
    tool: "claude",
    label: "evil",
    cwd: "/",
    command: ["claude"],
    pid: process.pid,
    pidStartTime: readStartTime(process.pid),
    startedAt: Date.now(),
    inside: null,
    capabilities: {
      chatTurns: false,
      screenView: false,
    },
    ...over,
  };
}

const said = (answer) => answer?.error?.message ?? JSON.stringify(answer?.result ?? null);

async function answerOn(client, shortId = facts.shortId) {
  const answer = await client.call("prompt.answer", { shortId, value: "y" });
  return {
    approved: answer?.result?.claimed === true,
    said: answer?.result?.rejection?.code ?? said(answer),
  };
}

async function answers() {
  return answerOn(await meetHub(socket));
}

async function calls(method, params = {}) {
  const answer = await (await meetHub(socket)).call(method, params);
  return { approved: answer?.result !== undefined, said: said(answer) };
}

/** Opens a session and answers on its connection. */
async function opensAndAnswers(params) {
  const client = await meetHub(socket);
  const opened = await client.call("session.open", params);
  const { approved, said: word } = await answerOn(client);
  return { approved, said: `${said(opened)}; ${word}`, opened: opened?.result !== undefined };
}

/** Calls that only a session's own connection may make, from a session inside. */
async function asInner(method, params) {
  const client = await meetHub(socket);
  await client.call("session.open", opening());
  const answer = await client.call(method, params);
  return { approved: answer?.result !== undefined, said: said(answer) };
}

/**
 * Plays the hub to whoever connects, with the secret that lies in the user's files and the numbers that the kernel tells. It got
 * through once this session talks to it as to the hub.
 */
async function playHub(path, publish, sessionId = facts.own.sessionId) {
  let isTrusted = false;
  const secret = Buffer.from(readFileSync(join(home, "hub.secret"), "utf8").trim(), "hex");
  const server = createServer((stream) => {
    stream.on("error", () => undefined);
    const callerPid = findPeer(stream);
    let rest = "";
    stream.on("data", (bytes) => {
      const lines = (rest + bytes).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const { id, method, params } = JSON.parse(line);
        if (method === "session.open" && params.sessionId === sessionId) isTrusted = true;
        const result = resultFor(method, params, callerPid, secret);
        stream.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
      }
    });
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(path, resolve));
  publish();
  await pause(PLAYED_MS);
  server.close();
  return { approved: isTrusted, said: isTrusted ? "the session trusted the false hub" : "it trusted nobody" };
}

/** Sessions that have lost their hub try again every two seconds at most. */
const PLAYED_MS = 2_500;

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

function native() {
  const koffi = createRequire(main)("koffi");
  const libc = koffi.load(null);
  return {
    ptrace: libc.func("long ptrace(int request, int pid, void *address, void *data)"),
    syscall: libc.func("long syscall(long number, long a, long b, long c)"),
    getsockopt: libc.func(
      "int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint32_t *length)",
    ),
  };
}

/** Traces without a stop, so that what is traced goes on. */
const SEIZE = 0x4206;

function opens(path) {
  try {
    openSync(path, "r+");
    return { approved: true, said: "opened" };
  } catch (error) {
    return { approved: false, said: error.code };
  }
}

/** `atlasbridge hub start` by this process, with code of its own put into it. */
function startsHub(args, env) {
  const evil = join(home, "evil.cjs");
  writeFileSync(
    evil,
    `require("node:fs").appendFileSync(${JSON.stringify(join(home, "evil.log"))}, process.argv.join(" ") + "\\n");`,
  );
  const options = {
    encoding: "utf8",
    timeout: 15_000,
    env: { ATLASBRIDGE_HOME: home, NODE_OPTIONS: `--require ${evil}`, ...env },
  };
  const ended = spawnSync(process.execPath, [main, "hub", "start", ...args], options);
  return { approved: ended.status === 0, said: `${ended.status}: ${ended.stderr.trim().slice(0, 200)}` };
}

async function playInItsStead(sessionId) {
  await killHub();
  const Database = createRequire(main)("better-sqlite3");
  const lock = await held(() => {
    const database = new Database(join(home, "hub.lock.db"), { timeout: 0 });
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE");
    return database;
  });
  rmSync(socket, { force: true });
  const outcome = await playHub(socket, () => undefined, sessionId);
  lock.close();
  return outcome;
}

async function killHub() {
  const client = await meetHub(socket);
  const { pid } = (await client.call("hub.status", {})).result;
  process.kill(pid, "SIGKILL");
  await new Promise((resolve) => client.stream.once("close", resolve));
}

/** Tries until it works. */
async function held(take) {
  for (;;) {
    try {
      return take();
    } catch {
      await pause(1);
    }
  }
}

const TRIES = {
  "answers as a child": answers,
  "answers without the mark": answers,
  "answers from a session of its own": answers,
  "answers as an orphan with an empty environment": answers,
  "answers as an orphan in a terminal of its own": answers,
  "answers as an orphan that was made before anything else": async () => {
    const client = await meetHub(socket);
    for (;;) {
      const prompts = (await client.call("prompts.list", { all: false })).result;
      const prompt = prompts.find(({ excerpt }) => excerpt.includes("production"));
      if (prompt) return answerOn(client, prompt.shortId);
      await pause(20);
    }
  },
  "answers without a proof": async () => answerOn(await meetHub(socket, { proves: false })),
  "answers with the proof of another connection": async () => {
    const sent = [];
    const first = await meetHub(socket, { proves: false });
    const call = (method, params) => {
      sent.push([method, params]);
      return first.call(method, params);
    };
    await proveOn({ call }, home);
    const second = await meetHub(socket, { proves: false });
    for (const [method, params] of sent) await second.call(method, params);
    return answerOn(second);
  },
  "proves itself as the worker": async () => {
    const client = await meetHub(socket, { proves: false });
    const proved = await proveOn(client, home, facts.own.pid);
    return { approved: proved.result !== undefined, said: said(proved) };
  },
  "takes its own session over": () => opensAndAnswers(opening({ sessionId: facts.own.sessionId })),
  "takes its own session over as process 1": () =>
    opensAndAnswers(opening({ sessionId: facts.own.sessionId, pid: 1, pidStartTime: readStartTime(1) })),
  "takes its own session over in the worker's name": () =>
    opensAndAnswers(
      opening({
        sessionId: facts.own.sessionId,
        pid: facts.own.pid,
        pidStartTime: readStartTime(facts.own.pid),
      }),
    ),
  "takes another session over": () => opensAndAnswers(opening({ sessionId: facts.victim.sessionId })),
  "calls another session too old": () =>
    opensAndAnswers(opening({ sessionId: facts.victim.sessionId, protocol: 0 })),
  "opens a session as another process": () =>
    opensAndAnswers(opening({ pid: 1, pidStartTime: readStartTime(1) })),
  "answers from a session inside": () => opensAndAnswers(opening()),
  "opens a session of a newer program inside": async () => {
    const client = await meetHub(socket);
    const opened = await client.call("session.open", opening({ version: "99.0.0" }));
    return { approved: opened?.result?.draining !== false, said: said(opened) };
  },
  "begins an injection from a session inside": () =>
    asInner("injection.begin", {
      promptId: facts.promptId,
      replyId: randomUUID(),
      route: "keys",
      fingerprint: "f".repeat(64),
    }),
  "withdraws the question from a session inside": () =>
    asInner("prompt.withdraw", { promptId: facts.promptId, reason: "superseded" }),
  "speaks for another session from a session inside": () =>
    asInner("session.close", { sessionId: facts.victim.sessionId, exitCode: 0, signal: null }),
  "stops the hub": () => calls("hub.stop"),
  "has the hub make way": () => calls("hub.yield", { version: "99.0.0", service: false }),
  "has the configuration read again": () => calls("hub.reload"),
  "resumes what was paused": () => calls("hub.pause", { paused: false }),
  "pairs a phone": () => calls("pairing.begin", { channel: "telegram" }),
  "captures another session": () => calls("session.capture", { sessionId: facts.victim.sessionId }),
  "cries wolf": () => calls("hub.suspect", { socket: "/x", pid: 1, problem: "x" }),
  "passes a connection on and ends": () =>
    new Promise((resolve) => {
      const child = fork(
        fileURLToPath(import.meta.url),
        [contextFile, "connects for its parent", factsText],
        {
          stdio: ["ignore", "ignore", "ignore", "ipc"],
        },
      );
      child.once("message", (_, stream) => {
        const ended = new Promise((done) => child.once("exit", done));
        void ended.then(() => answerOn(speakOn(stream))).then(resolve);
        child.send("thanks");
      });
    }),
  "connects for its parent": async () => {
    const { stream } = await meetHub(socket);
    stream.pause();
    process.send("here", stream);
    process.once("message", () => process.exit(0));
    return new Promise(() => undefined);
  },
  "writes a wrong address": async () => {
    writeFileSync(join(home, "hub.address"), "/nowhere/hub.sock\n");
    const before = Date.now();
    await pause(50);
    const listed = spawnSync(process.execPath, [main, "prompts", "--json"], {
      encoding: "utf8",
      env: { ATLASBRIDGE_HOME: home },
    });
    const isBlocked = listed.status !== 0 || Date.now() - before > 8_000;
    return { approved: isBlocked, said: `${listed.status} after ${Date.now() - before} ms` };
  },
  "plays the hub at an address of its own": () => {
    const path = join(home, "evil.sock");
    return playHub(path, () => writeFileSync(join(home, "hub.address"), `${path}\n`));
  },
  "plays the hub in the hub's own place": () => {
    rmSync(socket, { force: true });
    return playHub(socket, () => undefined);
  },
  "writes another secret": async () => {
    const path = join(home, "hub.secret");
    writeFileSync(`${path}.evil`, `${"0".repeat(64)}\n`, { mode: 0o600 });
    renameSync(`${path}.evil`, path);
    await pause(700);
    return { approved: readFileSync(path, "utf8").startsWith("0000"), said: "it was put right" };
  },
  "starts a hub with code of its own in it": () =>
    startsHub([], { ATLASBRIDGE_SESSION: facts.own.sessionId }),
  "starts a hub beside the hub": () =>
    startsHub(["--foreground"], { ATLASBRIDGE_SESSION: facts.own.sessionId }),
  "kills the hub and starts one without the mark": async () => {
    await killHub();
    const options = { env: { ATLASBRIDGE_HOME: home }, stdio: "ignore" };
    const hub = spawn(process.execPath, [main, "hub", "start", "--foreground"], options);
    const ended = new Promise((resolve) => hub.once("exit", resolve));
    const code = await Promise.race([ended, pause(8_000)]);
    hub.kill("SIGKILL");
    return { approved: code === undefined, said: `it ended with ${code}` };
  },
  "kills the hub and plays it, with its lock in hand": () => playInItsStead(facts.own.sessionId),
  "kills the hub and plays it to another session": () => playInItsStead(facts.victim.sessionId),
  "has a program that ran before answer": async () => {
    const answer = [process.execPath, main, "answer", facts.shortId, "y"]
      .map((word) => `'${word}'`)
      .join(" ");
    const line = `ATLASBRIDGE_HOME='${home}' ${answer} >'${log}.tmux' 2>&1`;
    spawnSync("tmux", ["-S", `${log}.tmux.sock`, "new-window", "-d", line]);
    for (const deadline = Date.now() + 8_000; Date.now() < deadline;) {
      await pause(50);
      const text = existsSync(`${log}.tmux`) ? readFileSync(`${log}.tmux`, "utf8") : "";
      if (text !== "") return { approved: text.includes("Accepted"), said: text.trim() };
    }
    return { approved: false, said: "it said nothing" };
  },
  "kills its worker and answers another session": async () => {
    process.kill(facts.own.pid, "SIGKILL");
    await pause(500);
    return answerOn(await meetHub(socket), facts.victimShortId);
  },
  "traces the hub": () => {
    const done = native().ptrace(SEIZE, facts.hubPid, null, null);
    return { approved: Number(done) === 0, said: String(done) };
  },
  "traces its worker": () => {
    const done = native().ptrace(SEIZE, facts.own.pid, null, null);
    return { approved: Number(done) === 0, said: String(done) };
  },
  "writes the hub's memory": () => opens(`/proc/${facts.hubPid}/mem`),
  "writes its worker's memory": () => opens(`/proc/${facts.own.pid}/mem`),
  "opens the hub's own files": () => opens(`/proc/${facts.hubPid}/fd/0`),
  "takes a connection out of its worker": () => {
    const { syscall } = native();
    const worker = Number(syscall(434, facts.own.pid, 0, 0));
    const taken = [...Array(64).keys()].some((fd) => Number(syscall(438, worker, fd, 0)) >= 0);
    return { approved: worker >= 0 && taken, said: `pidfd ${worker}, taken: ${taken}` };
  },
};

const begun = Date.now();
const outcome = await Promise.resolve()
  .then(() => TRIES[name]())
  .catch((error) => ({ approved: false, said: String(error) }));
const line = { name, pid: process.pid, ppid: process.ppid, begun, at: Date.now(), ...outcome };
appendFileSync(log, `${JSON.stringify(line)}\n`);
process.exit(0);
