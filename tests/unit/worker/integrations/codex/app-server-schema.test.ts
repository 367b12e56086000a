/**
 * Our messages to codex's app server match codex's own schema, and every request and notification of that schema is handled
 * (`tests/fixtures/schemas`).
 */
import * as fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import {
  DEFINITIONS,
  methods,
  readParams,
  problem,
  RELAYED,
} from "../../../../support/app-server-schema/kept.js";
import {
  talkToAppServer,
  THREAD,
  TURN,
  type AppServerTalk,
  type Line,
} from "../../../../support/app-server-talk.js";
import { generateAny, fullest, smallest } from "../../../../support/schema-instances.js";

// Hundreds of messages each, on a machine that may be busy.
/** What nobody is asked: it is refused in so many words. */
const REFUSED: Readonly<Record<string, string>> = {
  "item/tool/call": "a tool of the client's own; we offer none",
  "account/chatgptAuthTokens/refresh": "for clients that sign in for it; codex signs in by itself",
  "attestation/generate": "only for clients that offer it; we do not",
  "currentTime/read": "only for threads whose client is their clock; ours are none",
  applyPatchApproval: "of version 1, whose threads we do not begin",
  execCommandApproval: "of version 1, whose threads we do not begin",
};

/** Nobody knows it, and that is what it is for (see `AppServer.ping`). */
const PING = "_atlasbridge/ping";

const OF_OURS = { threadId: THREAD, turnId: TURN };

/** What is wrong with what we said, by codex's schema. `asked`: the method of each request of the server's, by its id. */
function problems(talk: AppServerTalk, asked: ReadonlyMap<string, string> = new Map()): string[] {
  return talk.said().flatMap((line) => findProblem(line, asked) ?? []);
}

function findProblem(line: Line, asked: ReadonlyMap<string, string>): string | null {
  const { id, method, result } = line;
  if (method === PING) return null;
  if (method !== undefined)
    return said(method, problem(id === undefined ? "ClientNotification" : "ClientRequest", line));
  if (result === undefined) return said("error", problem("JSONRPCError", line));
  const answers = RELAYED[asked.get(String(id)) ?? ""];
  return answers === undefined ? `nobody asked ${String(id)}` : said(answers, problem(answers, result));
}

const said = (what: string, found: string | null): string | null => found && `${what}: ${found}`;

/** A request of this method, as the schema has it, about our own thread. */
function request(id: string, method: string, params: unknown): object {
  return { id, method, params: { ...(params as object), ...("threadId" in Object(params) && OF_OURS) } };
}

/** Answers that are legal for what was asked: each choice, some words, a form that is filled in. */
function replies({ promptType, choices, constraints }: PromptEvent): string[] {
  if (constraints.form) {
    const filled = constraints.form.map(({ options }) => (options.length === 0 ? "7" : "1"));
    return [filled.join("\n"), "decline"];
  }
  if (promptType === "free_text") return ["7", "decline"];
  if (constraints.multi) return ["1", "decline"];
  return choices.map((_, at) => String(at + 1));
}

describe("our messages to codex's app server", () => {
  it("match its schema: greeting, threads, turns with their messages, and their end", async () => {
    const begun = await talkToAppServer({ context: "be brief" });
    const over = begun.turn();
    const ask = { ...OF_OURS, itemId: "i", startedAtMs: 1, command: "ls", cwd: "/srv" };
    begun.tell({ id: "a", method: "item/commandExecution/requestApproval", params: ask });
    await begun.read();
    const promptId = begun.raised[0]?.promptId as never;
    await begun.pendingRequests.answer({ promptId, value: "2", text: "not now" } as never, () =>
      Promise.resolve(),
    );
    begun.server.cancel();
    await begun.server.ping();
    begun.endTurn("interrupted");
    expect(await over).toMatchObject({ stopReason: "cancelled" });
    const resumed = await talkToAppServer({ resume: "thread-1" });
    const asked = new Map([["a", "item/commandExecution/requestApproval"]]);
    expect([...problems(begun, asked), ...problems(resumed)]).toEqual([]);
    const ours = [...begun.said(), ...resumed.said()].flatMap(({ method }) => method ?? []);
    expect(new Set(ours)).toEqual(
      new Set([
        ...["initialize", "initialized", "thread/start", "thread/resume"],
        ...["turn/start", "turn/steer", "turn/interrupt", PING],
      ]),
    );
  });

  it("get any answer of its schema, which is understood", async () => {
    const responses = {
      initialize: "InitializeResponse",
      "thread/start": "ThreadStartResponse",
      "thread/resume": "ThreadResumeResponse",
      "turn/start": "TurnStartResponse",
    };
    for (let kind = 0; kind < 8; kind += 1) {
      const answers = Object.fromEntries(
        Object.entries(responses).map(([method, name]) => [
          method,
          fullest(DEFINITIONS[name] ?? {}, DEFINITIONS, 8)[kind],
        ]),
      );
      const talk = await talkToAppServer({ answers, ...(kind % 2 === 1 && { resume: "some" }) });
      const over = talk.turn();
      talk.tell({
        method: "turn/completed",
        params: { turn: { status: "completed" } },
      });
      expect(await over).toMatchObject({ problem: null });
    }
  });
});

describe("our recorded messages to the real codex", () => {
  const EXCHANGES = "tests/fixtures/exchanges";

  /** What passed in a kept exchange: of a run without an interface a line each, of one joined beside its terminal a list. */
  function passedIn(file: string): readonly (readonly [isOurs: boolean, Line])[] {
    const text = readFileSync(file, "utf8");
    if (file.endsWith(".json")) {
      const { exchange } = JSON.parse(text) as {
        readonly exchange: readonly { from: string; message: Line }[];
      };
      return exchange.map(({ from, message }) => [from !== "server", message]);
    }
    const lines = text.split("\n").filter(Boolean);
    return lines.flatMap((line) => {
      const { by, message } = JSON.parse(line) as { readonly by?: string; readonly message: Line };
      return by === undefined ? [] : [[by === "us", message] as const];
    });
  }

  const files = ["codex-exec", "codex-coattach"].flatMap((folder) =>
    readdirSync(join(EXCHANGES, folder)).map((name) => join(EXCHANGES, folder, name)),
  );

  it.each(files)("match its schema: %s", (file) => {
    const passed = passedIn(file);
    const asked = new Map(
      passed.flatMap(([isOurs, { id, method = "" }]) =>
        isOurs || id === undefined ? [] : [[String(id), method]],
      ),
    );
    const ours = passed.flatMap(([isOurs, line]) => (isOurs ? [line] : []));
    expect(ours.length).toBeGreaterThan(0);
    expect(ours.flatMap((line) => findProblem(line, asked) ?? [])).toEqual([]);
  });
});

describe("a request of codex's app server", () => {
  it("is either raised or refused, for every kind", () => {
    expect([...Object.keys(RELAYED), ...Object.keys(REFUSED)].toSorted()).toEqual(
      methods("ServerRequest").toSorted(),
    );
  });

  it.each(Object.keys(REFUSED))("%s is refused explicitly", async (method) => {
    const talk = await talkToAppServer();
    const schema = readParams("ServerRequest", method);
    const all = [smallest(schema, DEFINITIONS), ...fullest(schema, DEFINITIONS)];
    for (const [at, params] of all.entries()) talk.tell(request(`q${at}`, method, params));
    await talk.read();
    expect(talk.raised).toEqual([]);
    const answers = talk.said().filter(({ id }) => String(id).startsWith("q"));
    expect(answers.map(({ error }) => error?.message)).toEqual(
      all.map(() => "AtlasBridge cannot show this request"),
    );
    expect(problems(talk)).toEqual([]);
  });

  it.each(Object.keys(RELAYED))("%s is raised, and each answer matches the schema", async (method) => {
    const schema = readParams("ServerRequest", method);
    let answered = 0;
    for (const params of fullest(schema, DEFINITIONS)) {
      expect(problem("ServerRequest", request("q", method, params))).toBeNull();
      const first = await talkToAppServer();
      first.tell(request("q", method, params));
      await first.read();
      const [event] = first.raised;
      if (!event) {
        expect(first.said().at(-1)?.error).toBeDefined();
        continue;
      }
      for (const value of replies(event)) {
        const talk = await talkToAppServer();
        talk.tell(request("q", method, params));
        await talk.read();
        const promptId = talk.raised[0]?.promptId as never;
        expect([value, talk.pendingRequests.answerHere(promptId, value)]).toEqual([value, null]);
        await talk.read();
        expect(problems(talk, new Map([["q", method]]))).toEqual([]);
        expect(talk.said().filter(({ id }) => id === "q")).toHaveLength(1);
        answered += 1;
      }
    }
    expect(answered).toBeGreaterThan(0);
  });

  it("is raised or refused, for any request of its schema, with unknown fields", async () => {
    const talk = await talkToAppServer();
    const asked = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods("ServerRequest")), fc.gen(), async (method, choose) => {
        const id = `q${asked.size}`;
        const params = generateAny(readParams("ServerRequest", method), DEFINITIONS, choose) as object;
        asked.set(id, method);
        const before = talk.raised.length;
        talk.tell(request(id, method, { ...params, unheardOf: { of: 1 } }));
        await talk.read();
        const answers = talk.said().filter((line) => line.id === id);
        const isAsked = talk.raised.length > before;
        expect([isAsked, answers.length]).toEqual(isAsked ? [true, 0] : [false, 1]);
        if (!isAsked) expect(answers[0]?.error).toBeDefined();
        talk.pendingRequests.withdrawAll("taken_back");
      }),
      { numRuns: 400 },
    );
    await talk.read();
    expect(problems(talk, asked)).toEqual([]);
  });
});

describe("a notification of codex's app server", () => {
  /** It is read in a turn, and the turn goes on to its end. */
  async function isTolerated(told: readonly object[]): Promise<string> {
    const talk = await talkToAppServer();
    const over = talk.turn();
    for (const message of told) talk.tell(message);
    await talk.read();
    talk.endTurn();
    await over;
    await talk.server.ping();
    expect(problems(talk)).toEqual([]);
    expect(talk.raised).toEqual([]);
    expect(talk.shown()).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
    return talk.shown();
  }

  const ours = (method: string, params: unknown): object => ({
    method,
    params: { ...(params as object), ...("threadId" in Object(params) && OF_OURS) },
    emittedAtMs: 1,
  });

  it.each(methods("ServerNotification"))(
    "%s is taken, with the fewest fields and with all of them",
    async (method) => {
      const schema = readParams("ServerNotification", method);
      const all = [smallest(schema, DEFINITIONS), ...fullest(schema, DEFINITIONS)].map((params) =>
        ours(method, params),
      );
      for (const message of all) expect(problem("ServerNotification", message)).toBeNull();
      // Each of them may end the turn.
      if (method === "turn/completed") for (const message of all) await isTolerated([message]);
      else await isTolerated(all);
    },
  );

  it("is taken, for any notification of its schema, with unknown fields and methods", async () => {
    const method = fc.constantFrom(
      ...methods("ServerNotification").filter((each) => each !== "turn/completed"),
    );
    const message = fc.tuple(method, fc.gen()).map(([name, choose]) => {
      const params = generateAny(readParams("ServerNotification", name), DEFINITIONS, choose) as object;
      return ours(name, { ...params, unheardOf: { of: 1 } });
    });
    const unknown = fc.record({
      method: fc.string(),
      params: fc.jsonValue(),
      unheardOf: fc.jsonValue(),
    }) as fc.Arbitrary<object>;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 9, arbitrary: message }, unknown), { maxLength: 12 }),
        async (told) => {
          await isTolerated(told);
        },
      ),
      { numRuns: 60 },
    );
  });
});
