/**
 * Without its interface our client of opencode's server keeps to opencode's own document of it (`tests/fixtures/schemas`), and
 * handles every request and event in it.
 */
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { isObject } from "../../../../../src/model/data/json.js";
import { generateAny, fullest, smallest } from "../../../../support/schema-instances.js";
import { SESSION, type ToldEvent } from "../../../../support/session-server-double.js";
import {
  makeAnswers,
  DEFINITIONS,
  EVENTS,
  OPERATIONS,
  problem,
  listStatuses,
} from "../../../../support/session-server-schema/kept.js";
import {
  talkToSessionServer,
  type SessionServerTalk,
  type TalkOptions,
} from "../../../../support/session-server-talk.js";
import { waitFor } from "../../../../support/wait-for.js";

// Hundreds of events each, on a machine that may be busy.
const CREATE = "POST /session";
const FIND = "GET /session/{sessionID}";
const CONFIG = "GET /config";
const PROMPT = "POST /session/{sessionID}/prompt_async";
const ASKS = ["permission.asked", "question.asked"];
/** The error of a turn that somebody has stopped. */
const ABORTED = "MessageAbortedError";

const open: SessionServerTalk[] = [];
afterEach(async () => {
  for (const talk of open.splice(0)) await talk.close();
});

async function talkTo(options: TalkOptions = {}): Promise<SessionServerTalk> {
  const talk = await talkToSessionServer(options);
  open.push(talk);
  return talk;
}

/** Every value of one event, in our session. `id`: of a request, so that no two are one. */
function told(type: string, id: (at: number) => string = String): readonly ToldEvent[] {
  const schema = EVENTS[type] ?? {};
  return [smallest(schema, DEFINITIONS), ...fullest(schema, DEFINITIONS)].map((event, at) =>
    ours(event as ToldEvent, id(at)),
  );
}

function ours(event: ToldEvent, id: string): ToldEvent {
  const { type, properties } = event;
  const isOfSession = "sessionID" in properties || type === "session.error";
  const own = { ...(isOfSession && { sessionID: SESSION }), ...(ASKS.includes(type) && { id }) };
  return { ...event, properties: { ...properties, ...own } };
}

const readId = (type: string) => (at: number) => `${type.slice(0, 3)}_${at}`;

/** Answers that are legal for what was asked: each choice, with and without words, and a form that is filled in. */
function replies({ choices, constraints, promptType }: PromptEvent): { value: string; text?: string }[] {
  if (constraints.form) {
    const filled = constraints.form.map(({ options }) => (options.length === 0 ? "words" : "1"));
    return [{ value: filled.join("\n") }, { value: "decline" }];
  }
  if (promptType === "free_text" || constraints.multi) return [{ value: "1" }, { value: "decline" }];
  return choices.flatMap(({ takesText }, at) => {
    const value = String(at + 1);
    return [
      ...(takesText === "required" ? [] : [{ value }]),
      ...(takesText ? [{ value, text: "some words" }] : []),
    ];
  });
}

describe("our messages to opencode's server", () => {
  it("match its document: sessions with their messages, answers of every kind, and their end", async () => {
    const begun = await talkTo({ context: "be brief" });
    const { over } = await begun.turn();
    for (const type of ASKS)
      for (const event of told(type, readId(type))) {
        if ((await begun.ask(event)) === "refused") continue;
        const asked = begun.raised.at(-1) as PromptEvent;
        begun.pendingRequests.answerHere(asked.promptId, replies(asked)[0]?.value ?? "");
      }
    begun.server.cancel();
    begun.endTurn();
    expect(await over).toMatchObject({ stopReason: "cancelled" });
    const resumed = await talkTo({ resume: SESSION });
    const refused = begun.double.said.filter(({ path }) => path.endsWith("/reject"));
    expect(refused.length).toBeGreaterThan(0);
    await waitFor(() => {
      const said = [begun, resumed].flatMap(({ double }) => double.said.map(({ operation }) => operation));
      // What waits already when we come is of no interest to a session that has just begun.
      expect([...new Set(said), "GET /question"].toSorted()).toEqual(OPERATIONS.toSorted());
    });
    expect([...begun.double.problems, ...resumed.double.problems]).toEqual([]);
  });

  it.each([CONFIG, CREATE])("get any answer to %s, which is understood", async (name) => {
    for (const body of makeAnswers(name, "200", 8)) {
      const talk = await talkTo({ answers: { [name]: { status: 200, body } } });
      if (name === CREATE) expect(talk.server.session).toBe((body as { readonly id: string }).id);
      expect(talk.double.problems).toEqual([]);
    }
  });

  it("report the answer: no session, an unknown one, a task that is refused", async () => {
    const failures = (name: string) =>
      listStatuses(name)
        .filter((status) => Number(status) >= 400)
        .flatMap((status) => makeAnswers(name, status, 4).map((body) => ({ status: Number(status), body })));
    for (const answer of failures(CREATE))
      await expect(talkTo({ answers: { [CREATE]: answer } })).rejects.toThrow("it opened no session");
    for (const answer of failures(FIND))
      await expect(talkTo({ resume: SESSION, answers: { [FIND]: answer } })).rejects.toThrow(
        "it has no such session",
      );
    // Whether or not it says what its settings are, it is to ask.
    for (const answer of failures(CONFIG)) await talkTo({ answers: { [CONFIG]: answer } });
    const statuses = new Set<number>();
    for (const answer of failures(PROMPT)) {
      const talk = await talkTo({ answers: { [PROMPT]: answer } });
      const end = await talk.server.prompt("go");
      expect(end).toMatchObject({ stopReason: "refused", problem: expect.any(String) as string });
      statuses.add(answer.status);
    }
    expect([...statuses]).toEqual([400, 404]);
  });
});

describe("a request of opencode's server", () => {
  it.each(ASKS)("%s is raised, and each answer matches the document", async (type) => {
    const talk = await talkTo();
    let answered = 0;
    for (const event of told(type)) {
      let ways = 1;
      for (let way = 0; way < ways; way += 1) {
        const id = `${type.slice(0, 3)}_${answered}`;
        const own = ours(event, id);
        expect(problem("Event", own)).toBeNull();
        if ((await talk.ask(own)) === "refused") expect(type).toBe("question.asked");
        else {
          const asked = talk.raised.at(-1) as PromptEvent;
          const all = replies(asked);
          ways = all.length;
          const reply = { promptId: asked.promptId, ...all[way] };
          await talk.pendingRequests.answer(reply as never, () => Promise.resolve());
        }
        await waitFor(() => {
          const posted = talk.double.said.filter(({ path }) => path.includes(`/${id}/`));
          expect([posted.length, talk.double.problems]).toEqual([1, []]);
        });
        answered += 1;
      }
    }
    expect(answered).toBeGreaterThan(25);
  });

  it("is raised or refused, for any request of the document, with unknown fields", async () => {
    const talk = await talkTo();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ASKS), fc.gen(), async (type, choose) => {
        const made = generateAny(EVENTS[type] ?? {}, DEFINITIONS, choose) as ToldEvent;
        const { properties } = ours(made, readId(type)((count += 1)));
        const how = await talk.ask({ type, properties: { ...properties, unheardOf: { of: 1 } } });
        if (how === "refused") expect(type).toBe("question.asked");
        talk.pendingRequests.withdrawAll("taken_back");
      }),
      { numRuns: 200 },
    );
    expect(talk.raised.length).toBeGreaterThan(50);
    expect(talk.double.problems).toEqual([]);
  });
});

describe("an event of opencode's server", () => {
  /** It is read in a turn, and the turn goes on to its end. */
  async function isTolerated(events: readonly unknown[]): Promise<string | null> {
    const talk = await talkTo();
    const { over } = await talk.turn();
    for (const event of events)
      if (isObject(event) && isObject(event["properties"])) talk.tell(event as unknown as ToldEvent);
      else talk.double.tellAnything(event);
    await talk.read();
    talk.endTurn();
    const { stopReason, problem: wrong } = await over;
    // Only who was told that the turn was stopped calls it stopped.
    expect(JSON.stringify(events).includes(ABORTED) ? ["end_turn", "cancelled"] : ["end_turn"]).toContain(
      stopReason,
    );
    expect(talk.double.problems).toEqual([]);
    expect(talk.raised).toEqual([]);
    expect(talk.shown()).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
    await talk.close();
    open.splice(open.indexOf(talk), 1);
    return stopReason === "cancelled" ? stopReason : wrong;
  }

  const TELLS = Object.keys(EVENTS).filter((type) => !ASKS.includes(type));

  it.each(TELLS)("%s is taken, with the fewest fields and with all of them", async (type) => {
    const all = told(type);
    for (const event of all) expect(problem("Event", event)).toBeNull();
    await isTolerated(all);
  });

  it("ends the turn with the error, each kind in its words or by its name, a stopped turn as cancelled", async () => {
    const names = new Set<string>();
    for (const event of told("session.error")) {
      const { error } = event.properties as { readonly error?: { name: string; data: { message?: string } } };
      const words = error?.name === ABORTED ? "cancelled" : (error?.data.message ?? error?.name ?? null);
      expect(await isTolerated([event])).toBe(words);
      if (error) names.add(error.name);
    }
    expect(names.size).toBe(8);
  });

  it("is taken, for any event of the document, with unknown fields and types", async () => {
    const known = fc.tuple(fc.constantFrom(...TELLS), fc.gen()).map(([type, choose]) => {
      const event = ours(generateAny(EVENTS[type] ?? {}, DEFINITIONS, choose) as ToldEvent, "");
      return { ...event, properties: { ...event.properties, unheardOf: { of: 1 } }, unheardOf: null };
    });
    const unknown = fc.record({ type: fc.string(), properties: fc.object(), unheardOf: fc.jsonValue() });
    const other = fc.record({ type: fc.constantFrom(...TELLS, ...ASKS), properties: fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            { weight: 9, arbitrary: known.filter(({ type }) => type !== "session.idle") },
            unknown,
            other,
            fc.jsonValue(),
          ),
          { maxLength: 12 },
        ),
        async (events) => {
          await isTolerated(events);
        },
      ),
      { numRuns: 60 },
    );
  });
});
