/**
 * Beside its terminal our client of opencode's server keeps to opencode's own document of it (`tests/fixtures/schemas`), and
 * handles every request and event in it.
 */
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../../../src/observe/clock.js";
import type { PendingRequest } from "../../../../../src/worker/prompts/pending-request.js";
import { isObject } from "../../../../../src/model/data/json.js";
import type { ReplyPath, RequestEnd } from "../../../../../src/worker/prompts/reply-path.js";
import { OpenCodeAttachment } from "../../../../../src/worker/integrations/opencode/attachment.js";
import { generateAny, fullest, smallest } from "../../../../support/schema-instances.js";
import { SESSION, SessionServerDouble, type ToldEvent } from "../../../../support/session-server-double.js";
import { DEFINITIONS, EVENTS, OPERATIONS, problem } from "../../../../support/session-server-schema/kept.js";
import { notLinux, skipped } from "../../../../support/skipped.js";
import { shippedAdapter } from "../../detection/screens.js";
import { waitFor } from "../../../../support/wait-for.js";

// Hundreds of events each, on a machine that may be busy.
const ASKS = ["permission.asked", "question.asked"];
const TELLS = Object.keys(EVENTS).filter((type) => !ASKS.includes(type));

interface Heard {
  readonly call: ReplyPath;
  readonly ask: PendingRequest;
  readonly gone: RequestEnd[];
}

interface Beside {
  readonly double: SessionServerDouble;
  /** What was asked, but for what only says that all before it is read. */
  readonly heard: Heard[];
  /** Resolves when all that was told is read. */
  readonly read: () => Promise<void>;
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** `waiting`: what is asked before we come. */
async function beside(waiting: readonly ToldEvent[] = []): Promise<Beside> {
  const { coattach } = shippedAdapter("opencode");
  if (coattach?.speaks !== "session_server") throw new Error("opencode cannot be joined");
  const double = await SessionServerDouble.start();
  for (const event of waiting) double.tell(event);
  const heard: Heard[] = [];
  let mark = "";
  const onRequest = (ask: PendingRequest, call: ReplyPath): void => {
    const gone: RequestEnd[] = [];
    call.onEnd((why) => gone.push(why));
    if (ask.prompt.content.text.startsWith("mark ")) mark = ask.prompt.content.text;
    else heard.push({ call, ask, gone });
  };
  const join = new OpenCodeAttachment(
    {
      clock: systemClock,
      cwd: "/srv/proj",
      getLeader: () => process.pid,
      getDeclared: () => undefined,
      onTurnEnd: () => undefined,
      onRequest,
    },
    { login: { user: "u", password: "hidden-from-all" }, drawn: coattach.drawn },
  );
  open.push(async () => {
    join.close();
    await double.close();
  });
  // What waits is asked for last.
  await until(() => double.said.filter(({ operation }) => operation === "GET /question").length > 0);
  let marks = 0;
  const read = async (): Promise<void> => {
    const text = `mark ${(marks += 1)}`;
    const id = `per_mark_${marks}`;
    const request = { id, permission: "bash", patterns: [], metadata: { command: text }, always: [] };
    double.tell({ type: "permission.asked", properties: { ...request, sessionID: SESSION } });
    await until(() => mark === text);
    double.tell({ type: "permission.replied", properties: { requestID: id, reply: "once" } });
  };
  return { double, heard, read };
}

async function until(holds: () => boolean): Promise<void> {
  await waitFor(() => {
    if (!holds()) throw new Error("it did not come to that");
  });
}

function told(type: string): readonly ToldEvent[] {
  const schema = EVENTS[type] ?? {};
  return [smallest(schema, DEFINITIONS), ...fullest(schema, DEFINITIONS)] as ToldEvent[];
}

function withId({ type, properties }: ToldEvent, at: number): ToldEvent {
  return { type, properties: { ...properties, id: `${type.slice(0, 3)}_${at}` } };
}

/** Each choice, with and without words; a form that is filled in. */
function replies({ prompt: { constraints, choices } }: PendingRequest): { value: string; text?: string }[] {
  if (constraints.form) return [{ value: constraints.form.map(() => "1").join("\n") }, { value: "decline" }];
  if (constraints.multi) return [{ value: "1" }, { value: "decline" }];
  return choices.flatMap(({ takesText }, at) => {
    const value = String(at + 1);
    return [
      ...(takesText === "required" ? [] : [{ value }]),
      ...(takesText ? [{ value, text: "some words" }] : []),
    ];
  });
}

describe.skipIf(skipped(notLinux))("an attachment to opencode, by its own document", () => {
  it("makes only calls of that document, and none that starts, stops or changes a session", async () => {
    const events = ASKS.flatMap((type) => told(type).slice(0, 3).map(withId));
    const { double, heard, read } = await beside(events);
    await until(() => heard.length > 0);
    const posted = new Set<string>();
    for (const type of ASKS)
      for (const [at, event] of told(type).entries()) {
        double.tell(withId(event, 100 + at));
        await read();
        const { call, ask } = heard.at(-1) as Heard;
        const answers = replies(ask);
        const { value, text } = answers[at % answers.length] ?? { value: "1" };
        const decided = ask.answer({ value, ...(text !== undefined && { text }) });
        if (!call.isOpen || !("result" in decided)) continue;
        expect(await call.answer(decided.result)).toBe("delivered");
        posted.add(type);
      }
    double.tell({ type: "session.idle", properties: { sessionID: SESSION } });
    await read();
    expect([...posted]).toEqual(ASKS);
    const said = new Set(double.said.map(({ operation }) => operation));
    const allowed = OPERATIONS.filter((name) => /permission|question|event/.test(name));
    expect([...said].toSorted()).toEqual(allowed.toSorted());
    expect(double.problems).toEqual([]);
  });

  it.each(ASKS)(
    "%s is raised, or left to its dialog, and withdrawn once it was answered elsewhere",
    async (type) => {
      const { double, heard, read } = await beside();
      const over = type.replace("asked", "replied");
      for (const [at, event] of told(type).entries()) {
        const own = withId(event, at);
        expect(problem("Event", { id: "evt_1", ...own })).toBeNull();
        const before = heard.length;
        double.tell(own);
        double.tell(own);
        await read();
        expect(heard.length - before).toBeLessThanOrEqual(1);
        double.tell({ type: over, properties: { sessionID: SESSION, requestID: own.properties["id"] } });
        await read();
      }
      expect(heard.length).toBeGreaterThan(12);
      expect(heard.flatMap(({ gone }) => gone)).toEqual(heard.map(() => "answered"));
      expect(double.problems).toEqual([]);
    },
  );

  it("takes every other event, with the fewest fields and with all of them, and raises nothing", async () => {
    const { double, heard, read } = await beside();
    for (const type of TELLS) {
      for (const event of told(type)) double.tell(event);
      await read();
    }
    expect(heard).toEqual([]);
    expect(double.problems).toEqual([]);
  });

  it("takes any event of that document, with unknown fields and types", async () => {
    const { double, heard, read } = await beside();
    const types = fc.oneof(fc.constantFrom(...ASKS), fc.constantFrom(...TELLS));
    const known = fc.tuple(types, fc.gen()).map(([type, choose]) => {
      const { properties } = generateAny(EVENTS[type] ?? {}, DEFINITIONS, choose) as ToldEvent;
      return { type, properties: { ...properties, unheardOf: { of: 1 } }, unheardOf: null };
    });
    const unknown = fc.record({ type: fc.string(), properties: fc.jsonValue(), unheardOf: fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 9, arbitrary: known }, unknown, fc.jsonValue()), { maxLength: 12 }),
        async (events) => {
          for (const event of events) double.tellAnything(event);
          await read();
          // No more may wait than a tool asks at once.
          for (const event of events as readonly unknown[])
            if (isObject(event) && isObject(event["properties"])) {
              const requestID = event["properties"]["id"];
              double.tell({ type: "question.replied", properties: { requestID } });
            }
        },
      ),
      { numRuns: 100 },
    );
    expect(heard.length).toBeGreaterThan(0);
    expect(double.problems).toEqual([]);
  });
});
