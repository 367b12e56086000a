/** A command that goes on has not ended: its end is on record when it comes, and nobody is told of an end that was not seen. */
import { describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import type { WorkerLink } from "../../../../src/wire/connection-ends.js";
import { turns } from "../fake-channel.js";
import { makeRig, sessionParams, type Rig } from "../rig.js";

const CONSOLE = asId<SessionId>("33333333-3333-4333-8333-333333333333");
const PERSON = { sessionId: null };
const RUNNING = {
  state: "running",
  note: "",
  exitCode: null,
  bytes: 0,
  text: "",
  outOfBand: "",
  styled: null,
};
const FINISHED = { ...RUNNING, state: "finished", exitCode: 7, bytes: 3 };

/** The session's worker. `end` ends the command that it runs. */
class SlowWorker implements WorkerLink {
  /** What becomes of the call that gives a command. */
  run: () => Promise<object> = () => Promise.resolve(RUNNING);
  /** Types no key and no line. */
  refuses = false;
  /** Its connection breaks over a key or a line. */
  breaks = false;
  #end: (answer: object) => void = () => undefined;

  call(method: string): Promise<never> {
    if (method === "console.state") return Promise.resolve({ open: true, problem: null } as never);
    if (this.refuses && method === "console.act")
      return Promise.resolve({
        problem: "no command of yours is running",
        result: null,
        text: null,
      } as never);
    if (this.breaks && method === "console.act")
      return Promise.reject(new AtlasBridgeError("ATB_WIRE_LOST", "lost", {}));
    if (method === "console.run") return this.run() as never;
    if (method !== "console.end" && method !== "console.act") return Promise.resolve({} as never);
    return new Promise((resolve) => (this.#end = (answer) => resolve(answer as never)));
  }

  acted(): void {
    this.#end({ problem: null, result: null, text: null });
  }

  end(result: object | null = FINISHED): void {
    this.#end({ result });
  }
}

async function openSession(rig: Rig, isConsole = true): Promise<SlowWorker> {
  const capabilities = { chatTurns: false, screenView: true, console: isConsole };
  const params = sessionParams({ sessionId: CONSOLE, tool: "bash", label: "work", capabilities });
  await rig.core.handlers["session.open"](params, PERSON);
  return connect(rig);
}

function connect(rig: Rig): SlowWorker {
  const worker = new SlowWorker();
  rig.core.connected(CONSOLE, worker);
  return worker;
}

async function runLong(rig: Rig): Promise<void> {
  const wish = { sessionId: CONSOLE, commandId: "c-1", command: "make", timeoutMs: 1 };
  expect(await rig.core.handlers["console.run"](wish, PERSON)).toMatchObject({ state: "running" });
  await turns();
}

function ends(rig: Rig): object[] {
  return [...rig.store.audit.readAfter(0)]
    .filter(({ step }) => step === "console_ended")
    .map(({ details }) => JSON.parse(details) as object);
}

const closeSession = (rig: Rig) =>
  rig.core.handlers["session.close"](
    { sessionId: CONSOLE, exitCode: 0, signal: null },
    { sessionId: CONSOLE },
  );

describe("a command that goes on when its caller has waited long enough", () => {
  it("has its end on record when it comes, once", async () => {
    const rig = await makeRig();
    const worker = await openSession(rig);
    await runLong(rig);
    expect(ends(rig)).toEqual([]);
    worker.end();
    await turns();
    expect(ends(rig)).toEqual([{ commandId: "c-1", state: "finished", exitCode: 7, bytes: 3 }]);
    await closeSession(rig);
    expect(ends(rig)).toHaveLength(1);
  });

  it("has it also if the connection was another one then", async () => {
    const rig = await makeRig();
    await openSession(rig);
    await runLong(rig);
    const worker = connect(rig);
    await turns();
    worker.end();
    await turns();
    expect(ends(rig)).toMatchObject([{ commandId: "c-1", state: "finished" }]);
  });

  it("is said not to have been seen to its end where the session ended first", async () => {
    const rig = await makeRig();
    await openSession(rig);
    await runLong(rig);
    await closeSession(rig);
    expect(ends(rig)).toEqual([{ commandId: "c-1", state: "unknown" }]);
  });

  it("is not said in the chat to have ended where nobody saw it", async () => {
    const rig = await makeRig();
    await openSession(rig);
    await rig.chat.text("$ make");
    await turns();
    await closeSession(rig);
    rig.clock.advance(10_000);
    await turns();
    const line = rig.chat.messages.find(({ notice }) => JSON.stringify(notice).includes("goes on"));
    expect(line?.outcome?.text).toBe("❔ Its end was not seen.");
  });
});

describe("a command whose call to its worker broke", () => {
  async function runBroken(): Promise<Rig> {
    const rig = await makeRig();
    const worker = await openSession(rig);
    worker.run = () => Promise.reject(new AtlasBridgeError("ATB_WIRE_LOST", "lost", {}));
    const wish = { sessionId: CONSOLE, commandId: "c-1", command: "make", timeoutMs: 1 };
    await expect(Promise.resolve(rig.core.handlers["console.run"](wish, PERSON))).rejects.toThrow("lost");
    return rig;
  }

  it("has its end on record once its worker is back", async () => {
    const rig = await runBroken();
    const worker = connect(rig);
    await turns();
    worker.end();
    await turns();
    expect(ends(rig)).toEqual([{ commandId: "c-1", state: "finished", exitCode: 7, bytes: 3 }]);
  });

  it("is on record as refused where it still waited and was not typed", async () => {
    const rig = await runBroken();
    const worker = connect(rig);
    await turns();
    worker.end({ ...FINISHED, state: "refused", note: "the hub was lost meanwhile" });
    await turns();
    expect(ends(rig)).toEqual([]);
    const refused = [...rig.store.audit.readAfter(0)].filter(({ step }) => step === "console_refused");
    expect(refused.map(({ details }) => JSON.parse(details) as object)).toEqual([
      { code: "not_typed", commandId: "c-1" },
    ]);
  });

  it("has an end on record where its worker is lost, too", async () => {
    const rig = await runBroken();
    await closeSession(rig);
    expect(ends(rig)).toEqual([{ commandId: "c-1", state: "unknown" }]);
  });
});

it("a session that takes no commands is not on record as opened to them", async () => {
  const rig = await makeRig();
  await openSession(rig, false);
  await rig.core.handlers["console.set"]({ sessionId: CONSOLE, open: true, agents: false }, PERSON);
  const steps = [...rig.store.audit.readAfter(0)].map(({ step }) => step);
  expect(steps).toContain("console_refused");
  expect(steps).not.toContain("console_opened");
});

it.each([
  ["at this machine", (rig: Rig) => act(rig), { code: "not_typed", action: "input" }],
  ["in the chat", sayInChat, { code: "not_typed", action: "input" }],
] as [string, (rig: Rig) => Promise<unknown>, object][])(
  "a line that was asked for %s is on record as refused where its worker types nothing",
  async (_, ask, refused) => {
    const rig = await makeRig();
    const worker = await openSession(rig);
    worker.refuses = true;
    await ask(rig);
    await turns();
    const rows = [...rig.store.audit.readAfter(0)].filter(({ step }) => step.startsWith("console_"));
    expect(rows.map(({ step }) => step)).toEqual(["console_command", "console_refused"]);
    expect(JSON.parse(rows[1]?.details ?? "")).toEqual(refused);
  },
);

describe("a key or a line of which nobody knows whether it was typed", () => {
  const read = (rig: Rig): readonly (readonly [string, object])[] =>
    [...rig.store.audit.readAfter(0)]
      .filter(({ step }) => step.startsWith("console_"))
      .map(({ step, details }) => [step, JSON.parse(details) as object]);
  const UNKNOWN = ["console_ended", { action: "input", state: "unknown" }];

  it.each([
    ["at this machine", (rig: Rig) => act(rig).catch(() => undefined)],
    ["in the chat", sayInChat],
  ] as [string, (rig: Rig) => Promise<unknown>][])(
    "has an end row that says so where the call to its worker broke: %s",
    async (_, ask) => {
      const rig = await makeRig();
      const worker = await openSession(rig);
      worker.breaks = true;
      await ask(rig);
      await turns();
      expect(read(rig)).toMatchObject([["console_command", { action: "input" }], UNKNOWN]);
      connect(rig);
      await closeSession(rig);
      expect(read(rig)).toHaveLength(2);
    },
  );

  it.each([
    ["its worker comes back on another connection", (rig: Rig) => Promise.resolve(connect(rig))],
    ["its session ends", closeSession],
  ] as [string, (rig: Rig) => Promise<unknown>][])(
    "has it where nobody waits any more when %s",
    async (_, next) => {
      const rig = await makeRig();
      await openSession(rig);
      // Its worker never answers; the hub that asked may be gone.
      void act(rig);
      await turns();
      expect(read(rig)).toHaveLength(1);
      await next(rig);
      expect(read(rig)[1]).toEqual(UNKNOWN);
    },
  );

  it("has none where its worker says that it was typed", async () => {
    const rig = await makeRig();
    const worker = await openSession(rig);
    const done = act(rig);
    await turns();
    worker.acted();
    await done;
    connect(rig);
    await closeSession(rig);
    expect(read(rig)).toHaveLength(1);
  });
});

/** In reply to the message that says that the console is open. */
async function sayInChat(rig: Rig): Promise<void> {
  rig.clock.advance(10_000);
  await turns();
  const opening = rig.chat.messages.find(({ notice }) => JSON.stringify(notice).includes("console is open"));
  await rig.chat.text("> y", { ref: opening!.ref });
}

const act = (rig: Rig) =>
  Promise.resolve(
    rig.core.handlers["console.act"](
      { sessionId: CONSOLE, action: "input", input: "y", timeoutMs: 0 },
      PERSON,
    ),
  );
