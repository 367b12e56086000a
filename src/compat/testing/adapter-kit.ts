/** What every adapter must do (adapter spec §2, §3.3). */
import assert from "node:assert/strict";
import type { EightMethodAdapter } from "../base-adapter.js";
import { asId, type PromptId, type ReplyId, type SessionId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import type { Reply } from "../../model/answer/reply.js";
import { waitFor, type ContractCheck } from "./check.js";
import { findEventProblems } from "./prompt-rules.js";

/** An adapter that was not started, with tools for it that the kit can watch. Each check opens one of its own. */
export interface AdapterBench {
  readonly adapter: EightMethodAdapter;
  /** Under which `startSession` starts the tool; null if the adapter chooses it. */
  readonly sessionId: SessionId | null;
  /** The command of a tool that asks one question with at least two choices, then ends with code 0. What it was told is in `told()`. */
  readonly asks: readonly string[];
  /** The command of a tool that writes something, never ends by itself, asks nothing and ignores SIGTERM. */
  readonly deaf: readonly string[];
  /** A command that does not exist. */
  readonly missing: readonly string[];
  /** What the tool was told; null while it was told nothing. */
  readonly told: () => string | null;
  /** Answers the open question as the person at the tool would: another way than `injectReply`. */
  readonly answerLocally: () => void;
  /** Ends what the check left. */
  readonly dispose: () => Promise<void>;
}

/** How much of the output `detectPrompt` gets (adapter spec §2). */
const BUFFER_BYTES_MAX = 4096;
const SNAPSHOT_KEYS = [
  ...["sessionId", "tool", "pid", "state", "uptimeSeconds", "promptCount", "lastOutputAgoSeconds"],
  ...["ptyAlive", "waitsForInput", "troubles"],
];
const granted = (): Promise<void> => Promise.resolve();

/** A started tool, whose output is read all the time. */
class Session {
  readonly bench: AdapterBench;
  readonly adapter: EightMethodAdapter;
  #buffer: Uint8Array = new Uint8Array();
  readonly #ended: Promise<void>;

  constructor(bench: AdapterBench) {
    this.bench = bench;
    this.adapter = bench.adapter;
    this.#ended = this.#read();
    this.#ended.catch(() => undefined);
  }

  async #read(): Promise<void> {
    for await (const chunk of this.adapter.readStream())
      this.#buffer = Buffer.concat([this.#buffer, chunk]).subarray(-BUFFER_BYTES_MAX);
  }

  detect(): Promise<PromptEvent | null> {
    return this.adapter.detectPrompt(this.#buffer);
  }

  nextPrompt(): Promise<PromptEvent> {
    return waitFor("a prompt of the tool", () => this.detect());
  }

  async hasOutput(): Promise<void> {
    await waitFor("output of the tool", () => this.#buffer.length > 0 || null);
  }

  /** Resolves when the stream has ended, as it does with the tool. */
  ended(): Promise<void> {
    return this.#ended;
  }
}

function replyTo(event: Pick<PromptEvent, "promptId" | "sessionId">, value: string): Reply {
  return {
    replyId: asId<ReplyId>("33333333-3333-4333-8333-333333333333"),
    promptId: event.promptId,
    sessionId: event.sessionId,
    value,
    nonce: asId("0".repeat(32)),
    channelIdentity: asId("cli:local"),
    timestamp: new Date().toISOString(),
    newlinePolicy: "append",
  };
}

async function assertAnswered(session: Session, event: PromptEvent, value: string): Promise<void> {
  const result = await session.adapter.injectReply(replyTo(event, value), granted);
  assert.equal(result.kind, "receipt", `the answer was refused: ${JSON.stringify(result)}`);
  assert.equal(result.receipt.outcome, "answered");
}

async function assertRefused(
  session: Session,
  event: Pick<PromptEvent, "promptId" | "sessionId">,
): Promise<void> {
  const result = await session.adapter.injectReply(replyTo(event, "1"), granted);
  assert.equal(result.kind, "refused");
}

/** The checks of an adapter; `open` is called once for each. */
export function adapterChecks(open: () => AdapterBench): readonly ContractCheck[] {
  const onBench = (name: string, run: (bench: AdapterBench) => Promise<void>): ContractCheck => ({
    name,
    async run() {
      const bench = open();
      try {
        await run(bench);
      } finally {
        await bench.dispose();
      }
    },
  });
  const asked = (name: string, run: (session: Session, event: PromptEvent) => Promise<void>): ContractCheck =>
    onBench(name, async (bench) => {
      await bench.adapter.startSession(bench.asks);
      const session = new Session(bench);
      await run(session, await session.nextPrompt());
    });
  return [...startChecks(onBench), ...promptChecks(asked), ...answerChecks(asked), ...endChecks(onBench)];
}

type OnBench = (name: string, run: (bench: AdapterBench) => Promise<void>) => ContractCheck;
type Asked = (name: string, run: (session: Session, event: PromptEvent) => Promise<void>) => ContractCheck;

function startChecks(onBench: OnBench): ContractCheck[] {
  return [
    onBench("starts a session, and is healthy from then on", async ({ adapter, sessionId, asks }) => {
      assert.equal(await adapter.healthcheck(), false, "it is healthy before its start");
      const started = await adapter.startSession(asks);
      if (sessionId !== null) assert.equal(started, sessionId);
      assert.equal(await adapter.healthcheck(), true, "it is not healthy after its start");
    }),
    onBench("says that an executable is missing", async ({ adapter, missing }) => {
      await assert.rejects(async () => adapter.startSession(missing), { code: "ATB_TOOL_NOT_FOUND" });
      assert.equal(await adapter.healthcheck(), false);
    }),
  ];
}

function promptChecks(asked: Asked): ContractCheck[] {
  return [
    asked("raises a prompt that keeps every rule of the adapter spec", async (session, event) => {
      assert.deepEqual(findEventProblems(event), []);
      assert.ok(event.choices.length >= 2, "the question has two choices at least");
      assert.equal(event.sessionId, (await session.adapter.snapshotContext()).sessionId);
    }),
    asked("gives the same prompt once", async (session) => {
      assert.equal(await session.detect(), null);
    }),
    asked("tells its snapshot with the adapter spec's keys", async ({ adapter, bench }, event) => {
      const snapshot = await adapter.snapshotContext();
      assert.deepEqual(
        SNAPSHOT_KEYS.filter((key) => !(key in snapshot)),
        [],
      );
      assert.equal(snapshot.sessionId, bench.sessionId ?? event.sessionId);
      const { state, promptCount, ptyAlive, waitsForInput, troubles } = snapshot;
      assert.deepEqual(
        { state, promptCount, ptyAlive, waitsForInput, troubles },
        { state: "awaiting_response", promptCount: 1, ptyAlive: true, waitsForInput: true, troubles: [] },
      );
    }),
    asked(
      "awaits input once the tool has asked and been quiet for the stuck timeout",
      async ({ adapter }) => {
        await waitFor("the stuck timeout", async () => (await adapter.awaitInputState()) || null);
      },
    ),
  ];
}

function answerChecks(asked: Asked): ContractCheck[] {
  return [
    asked("puts exactly the chosen answer in, once, and says what it saw", async (session, event) => {
      await assertAnswered(session, event, "2");
      await assertRefused(session, event);
      await session.ended();
      assert.equal(session.bench.told(), "2");
    }),
    asked(
      "types nothing when the step could not be recorded, and can still be answered",
      async (session, event) => {
        const gate = (): Promise<void> => Promise.reject(new Error("no hub"));
        const result = await session.adapter.injectReply(replyTo(event, "1"), gate);
        assert.equal(result.kind === "refused" && result.rejection.code, "not_recorded");
        assert.equal(session.bench.told(), null);
        const isSame = result.kind === "refused" && result.stillAsked;
        const open = isSame ? event : await session.nextPrompt();
        if (!isSame) assert.notEqual(open.idempotencyKey, event.idempotencyKey);
        await assertAnswered(session, open, "1");
        await session.ended();
        assert.equal(session.bench.told(), "1");
      },
    ),
    asked("refuses an answer to a question that it does not have", async (session, { sessionId }) => {
      await assertRefused(session, {
        sessionId,
        promptId: asId<PromptId>("44444444-4444-4444-8444-444444444444"),
      });
      assert.equal(session.bench.told(), null);
    }),
    asked("refuses an answer after the person at the tool has given one", async (session, event) => {
      session.bench.answerLocally();
      await session.ended();
      const told = session.bench.told();
      assert.notEqual(told, null, "the person at the tool has told it nothing");
      await assertRefused(session, event);
      assert.equal(session.bench.told(), told);
    }),
  ];
}

function endChecks(onBench: OnBench): ContractCheck[] {
  return [
    onBench("ends its stream and its health with the tool", async (bench) => {
      const { adapter, asks, answerLocally } = bench;
      await adapter.startSession(asks);
      const session = new Session(bench);
      await session.nextPrompt();
      answerLocally();
      await session.ended();
      await session.hasOutput();
      assert.equal(await adapter.healthcheck(), false);
      assert.equal(await adapter.awaitInputState(), false);
      const { state, ptyAlive, troubles } = await adapter.snapshotContext();
      assert.deepEqual(
        { state, ptyAlive, troubles },
        { state: "done", ptyAlive: false, troubles: ["not_running"] },
      );
    }),
    onBench("kills a deaf tool after its grace, and only its own session", async (bench) => {
      const { adapter, deaf } = bench;
      const own = await adapter.startSession(deaf);
      const session = new Session(bench);
      await session.hasOutput();
      await assert.rejects(async () => adapter.terminateSession(asId<SessionId>("another")));
      assert.equal(await adapter.healthcheck(), true, "it has ended another's session");
      await adapter.terminateSession(own);
      assert.equal(await adapter.healthcheck(), false, "the tool lives on");
    }),
  ];
}
