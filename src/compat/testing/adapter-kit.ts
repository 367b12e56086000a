/** What every adapter must do (adapter spec §2, §3.3). */
import assert from "node:assert/strict";
import { asId, type PromptId, type SessionId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import { AGENT_TEXT_MAX, type Reply } from "../../model/answer/reply.js";
import type { InjectionResult } from "../../sdk/adapter.js";
import { replyTo, Session, type AdapterBench } from "./adapter-bench.js";
import { waitFor, type ContractCheck } from "./check.js";
import { findEventProblems } from "./prompt-rules.js";

/** What an adapter cannot do, each with the reason, which the skipped checks then give. */
export interface AdapterLacks {
  /** Its answers do not end with a key, as those of a protocol. */
  readonly newlinePolicy?: string;
}

const SNAPSHOT_KEYS = [
  ...["sessionId", "tool", "pid", "state", "uptimeSeconds", "promptCount", "lastOutputAgoSeconds"],
  ...["ptyAlive", "waitsForInput", "troubles"],
];
/** For what must not happen: a tool notes within this time what it is told. */
const SETTLE_MS = 300;
/** Longer than any adapter waits for an effect. */
const EFFECT_OVER_MS = 60_000;
const granted = (): Promise<void> => Promise.resolve();
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));

async function assertAnswered({ adapter }: Session, event: PromptEvent, value: string): Promise<void> {
  assertClaimed(await adapter.injectReply(replyTo(event, value), granted));
}

function assertClaimed(result: InjectionResult): void {
  assert.equal(result.kind, "receipt", `the answer was refused: ${JSON.stringify(result)}`);
  assert.equal(result.receipt.outcome, "answered");
}

/** What was not typed can be answered: under the same prompt, or under the next one. */
async function assertStillOpen(session: Session, event: PromptEvent, result: InjectionResult): Promise<void> {
  await settle();
  assert.equal(session.bench.told(), null, "it has typed what it must not type");
  const isSame = result.kind === "refused" && result.stillAsked;
  const open = isSame ? event : await session.nextPrompt();
  if (!isSame) assert.notEqual(open.idempotencyKey, event.idempotencyKey);
  await assertAnswered(session, open, "1");
  await session.ended();
  assert.equal(session.bench.told(), "1");
}

async function assertRefused(
  session: Session,
  event: Pick<PromptEvent, "promptId" | "sessionId">,
): Promise<void> {
  const result = await session.adapter.injectReply(replyTo(event, "1"), granted);
  assert.equal(result.kind, "refused");
}

/** The checks of an adapter; `open` is called once for each. `lacks`: what the adapter cannot do; checks of that are skipped. */
export function adapterChecks(open: () => AdapterBench, lacks: AdapterLacks = {}): readonly ContractCheck[] {
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
  const asked: Asked = (name, run, tool = "asks") =>
    onBench(name, async (bench) => {
      await bench.adapter.startSession(bench[tool]);
      const session = new Session(bench);
      await run(session, await session.nextPrompt());
    });
  return [
    ...startChecks(onBench),
    ...promptChecks(asked),
    ...answerChecks(asked),
    ...typingChecks(asked),
    ...policyChecks(asked, lacks),
    ...endChecks(onBench),
  ];
}

type OnBench = (name: string, run: (bench: AdapterBench) => Promise<void>) => ContractCheck;
type Asked = (
  name: string,
  run: (session: Session, event: PromptEvent) => Promise<void>,
  tool?: "asks" | "listens" | "stalls",
) => ContractCheck;

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
        const result = await session.adapter.injectReply(replyTo(event, "2"), gate);
        assert.equal(result.kind === "refused" && result.rejection.code, "not_recorded");
        await assertStillOpen(session, event, result);
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

function typingChecks(asked: Asked): ContractCheck[] {
  return [
    asked("types nothing until the step is recorded", async (session, event) => {
      let record = (): void => undefined;
      let noteAsked = (): void => undefined;
      const recorded = new Promise<void>((resolve) => (record = resolve));
      const asksGate = new Promise<void>((resolve) => (noteAsked = resolve));
      const gate = (): Promise<void> => {
        noteAsked();
        return recorded;
      };
      const result = session.adapter.injectReply(replyTo(event, "2"), gate);
      await Promise.race([asksGate, result]);
      await settle();
      assert.equal(session.bench.told(), null, "it has typed before the step was recorded");
      record();
      assertClaimed(await result);
      await session.ended();
      assert.equal(session.bench.told(), "2");
    }),
    asked("types nothing once it is halted, and can still be answered", async (session, event) => {
      const halt = new AbortController();
      const gate = (): Promise<void> => {
        halt.abort();
        return Promise.resolve();
      };
      const result = await session.adapter.injectReply(replyTo(event, "2"), gate, halt.signal);
      const isUntyped = result.kind === "refused" || result.receipt.outcome === "failed";
      assert.ok(isUntyped, `it goes on after the halt: ${JSON.stringify(result)}`);
      await assertStillOpen(session, event, result);
    }),
    asked("types no choice that the question does not have, and can still be answered", refuseChoices),
    asked("types no text of several lines, and none that is too long", refuseTexts, "listens"),
    asked(
      "types an answer once",
      async (session, event) => {
        await assertAnswered(session, event, "2");
        await settle();
        assert.equal(session.bench.told()?.trim(), "2");
      },
      "listens",
    ),
    asked(
      "claims no effect that there was not",
      async (session, event) => {
        // It may have asked a moment before it stands still.
        await settle();
        const result = await injectUnread(session, replyTo(event, "2"));
        const outcome = result.kind === "receipt" ? result.receipt.outcome : null;
        assert.notEqual(outcome, "answered", `the tool has read nothing: ${JSON.stringify(result)}`);
      },
      "stalls",
    ),
  ];
}

async function refuseChoices(session: Session, event: PromptEvent): Promise<void> {
  await assertIllegal(session, event, "0");
  await assertStillOpen(session, event, await assertIllegal(session, event, `${event.choices.length + 1}`));
}

async function refuseTexts(session: Session, event: PromptEvent): Promise<void> {
  for (const value of ["2\n1", "2\r1", "2".repeat(AGENT_TEXT_MAX + 1)])
    await assertIllegal(session, event, value);
  await settle();
  assert.equal(session.bench.told(), null, "it has typed what it must not type");
}

async function assertIllegal(
  { adapter }: Session,
  event: PromptEvent,
  value: string,
): Promise<InjectionResult> {
  const result = await adapter.injectReply(replyTo(event, value), granted);
  const shown = `${JSON.stringify(value.slice(0, 9))}, of ${value.length} characters,`;
  assert.equal(result.kind, "refused", `${shown} is no legal answer`);
  return result;
}

function policyChecks(asked: Asked, { newlinePolicy: skip }: AdapterLacks): ContractCheck[] {
  const checks = [
    asked(
      "ends an answer with a line end under the newline policy append",
      async ({ bench, adapter }, event) => {
        assertClaimed(await adapter.injectReply(replyTo(event, "2"), granted));
        await settle();
        assert.equal(bench.told()?.replaceAll("\r", "\n"), "2\n");
      },
      "listens",
    ),
    asked(
      "adds nothing to an answer under the newline policy none",
      async (session, event) => {
        await injectUnread(session, replyTo(event, "2", "none"));
        // A terminal keeps a line back that has no end.
        assert.equal(session.bench.told() ?? "2", "2");
      },
      "listens",
    ),
  ];
  return checks.map((check) => ({ ...check, ...(skip !== undefined && { skip }) }));
}

/** The result where the tool may never read the answer. */
async function injectUnread({ adapter, bench }: Session, reply: Reply): Promise<InjectionResult> {
  const injecting = adapter.injectReply(reply, granted);
  await Promise.race([injecting, settle()]);
  bench.skipTime?.(EFFECT_OVER_MS);
  return injecting;
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
    onBench("raises no prompt of a tool that asks nothing", async (bench) => {
      await bench.adapter.startSession(bench.deaf);
      const session = new Session(bench);
      await session.hasOutput();
      await settle();
      const event = await session.detect();
      assert.equal(event, null, `the tool has asked nothing: ${event?.excerpt}`);
      assert.equal((await bench.adapter.snapshotContext()).promptCount, 0);
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
