// One try: attack.mjs CONTEXT NAME FACTS. What came of it is a line in the log: whether something was approved, and what was said.
import { fork, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { meetHub, proveOn, speakOn, readStartTime } from "../../../fixtures/agents/hub-client.mjs";
import {
  contextFile,
  facts,
  factsText,
  Hang,
  HANG_MS,
  home,
  killHub,
  log,
  main,
  name,
  native,
  protocol,
  socket,
  until,
} from "./common.mjs";
import { playAtOwnAddress, playInItsPlace, playInItsStead } from "./false-hub.mjs";

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
  const rejection = answer?.result?.rejection?.code;
  return { approved: answer?.result?.claimed === true, rejection, said: rejection ?? said(answer) };
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
  const answered = await answerOn(client);
  return { ...answered, said: `${said(opened)}; ${answered.said}` };
}

/** Calls that only a session's own connection may make, from a session inside. */
async function asInner(method, params) {
  const client = await meetHub(socket);
  await client.call("session.open", opening());
  const answer = await client.call(method, params);
  return { approved: answer?.result !== undefined, said: said(answer) };
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

/** Runs `atlasbridge`. One that does not end is no refusal. */
function runToEnd(args, env = { ATLASBRIDGE_HOME: home }) {
  const ended = spawnSync(process.execPath, [main, ...args], { encoding: "utf8", timeout: HANG_MS, env });
  if (ended.error) throw new Hang(`${args.join(" ")}: ${ended.error.message}`);
  return ended;
}

/** `atlasbridge hub start` by this process, with code of its own put into it. */
function startsHub(args, env) {
  const evil = join(home, "evil.cjs");
  writeFileSync(
    evil,
    `require("node:fs").appendFileSync(${JSON.stringify(join(home, "evil.log"))}, process.argv.join(" ") + "\\n");`,
  );
  const own = { ATLASBRIDGE_HOME: home, NODE_OPTIONS: `--require ${evil}`, ...env };
  const { status, stderr } = runToEnd(["hub", "start", ...args], own);
  return { approved: status === 0, said: `${status}: ${stderr.trim().slice(0, 200)}` };
}

const TRIES = {
  "answers as a child": answers,
  "answers without the mark": answers,
  "answers from a session of its own": answers,
  "answers as an orphan with an empty environment": answers,
  "answers as an orphan in a terminal of its own": answers,
  "answers as an orphan that was made before anything else": async () => {
    const client = await meetHub(socket);
    const findPrompt = async () => {
      const prompts = (await client.call("prompts.list", { all: false })).result;
      return prompts.find(({ excerpt }) => excerpt.includes("production"));
    };
    return answerOn(client, (await until(findPrompt, "the question")).shortId);
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
    const address = join(home, "hub.address");
    writeFileSync(address, "/nowhere/hub.sock\n");
    const { status } = runToEnd(["prompts", "--json"]);
    await until(() => !readFileSync(address, "utf8").includes("nowhere"), "the hub's own address");
    return { approved: status !== 0, said: `prompts: ${status}` };
  },
  "plays the hub at an address of its own": playAtOwnAddress,
  "plays the hub in the hub's own place": playInItsPlace,
  "writes another secret": async () => {
    const path = join(home, "hub.secret");
    writeFileSync(`${path}.evil`, `${"0".repeat(64)}\n`, { mode: 0o600 });
    renameSync(`${path}.evil`, path);
    await until(() => !readFileSync(path, "utf8").startsWith("0000"), "the hub's own secret");
    return { approved: false, said: "it was put right" };
  },
  "starts a hub with code of its own in it": () =>
    startsHub([], { ATLASBRIDGE_SESSION: facts.own.sessionId }),
  "starts a hub beside the hub": () =>
    startsHub(["--foreground"], { ATLASBRIDGE_SESSION: facts.own.sessionId }),
  "kills the hub and starts one without the mark": async () => {
    await killHub();
    const options = { env: { ATLASBRIDGE_HOME: home }, stdio: "ignore" };
    const hub = spawn(process.execPath, [main, "hub", "start", "--foreground"], options);
    const hasEnded = () => hub.exitCode !== null || hub.signalCode !== null;
    await until(hasEnded, "the end of that hub").finally(() => hub.kill("SIGKILL"));
    return { approved: false, said: `it ended with ${hub.exitCode ?? hub.signalCode}` };
  },
  "kills the hub and plays it, with its lock in hand": () => playInItsStead(facts.own),
  "kills the hub and plays it to another session": () => playInItsStead(facts.victim),
  "has a program that ran before answer": async () => {
    const answer = [process.execPath, main, "answer", facts.shortId, "y"]
      .map((word) => `'${word}'`)
      .join(" ");
    const line = `ATLASBRIDGE_HOME='${home}' ${answer} >'${log}.tmux' 2>&1`;
    spawnSync("tmux", ["-S", `${log}.tmux.sock`, "new-window", "-d", line]);
    const readSaid = () => existsSync(`${log}.tmux`) && readFileSync(`${log}.tmux`, "utf8").trim();
    const said = await until(readSaid, "a word of that program");
    return { approved: said.includes("Accepted"), said };
  },
  "kills its worker and answers another session": async () => {
    process.kill(facts.own.pid, "SIGKILL");
    const client = await meetHub(socket);
    const isGone = async () => {
      const sessions = (await client.call("sessions.list", { all: false })).result;
      return !sessions.some(({ sessionId, connected }) => sessionId === facts.own.sessionId && connected);
    };
    await until(isGone, "the end of its session");
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

const outcome = await Promise.resolve()
  .then(() => TRIES[name]())
  .catch((error) => ({ approved: false, hung: error instanceof Hang, said: String(error) }));
appendFileSync(log, `${JSON.stringify({ name, pid: process.pid, ...outcome })}\n`);
process.exit(0);
