/** Grants answer exactly what a person allowed, as often and as long as they said, and nothing else. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decide } from "../../../../../src/hub/policy/decide.js";
import { readExactRequest } from "../../../../../src/hub/policy/exact-request.js";
import { askAlways, type ActivePolicy } from "../../../../../src/hub/policy/verdict.js";
import { asId, type SessionId } from "../../../../../src/model/ids.js";
import type { Mode } from "../../../../../src/model/policy-mode.js";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { commandPrompt, parseRules, WORLD } from "../../../../support/policy/policies.js";
import { turns } from "../../fake-channel.js";
import {
  ARA,
  makeEvent,
  makeRig,
  SESSION,
  sessionParams,
  SETTINGS,
  tempDirectory,
  type Rig,
  type RigOptions,
} from "../../rig.js";

const MINUTE = 60_000;

function granting(rules?: string, mode: Mode = "full"): ActivePolicy {
  const compiled = rules === undefined ? null : parseRules(rules);
  return {
    mode,
    countdownMs: 30_000,
    decide:
      compiled === null
        ? askAlways
        : (event, session, now, uses) => decide(compiled, { event, session, now }, WORLD, uses),
    readExact: (event, session, now) => readExactRequest({ event, session, now }, WORLD),
  };
}

const open = (over: RigOptions & { rules?: string; mode?: Mode } = {}): Promise<Rig> => {
  const { rules, mode, ...options } = over;
  const policy = granting(rules, mode);
  return makeRig({ policy: () => policy, ...options });
};

function command(line: string, over: Partial<PromptEvent> = {}): Partial<PromptEvent> {
  const { content, excerpt, safetyClass, choices, constraints } = commandPrompt(line, over);
  return { content, excerpt, safetyClass, choices, constraints };
}

const readShortId = (rig: Rig, event: PromptEvent): string =>
  rig.store.prompts.find(event.promptId)?.shortId ?? "";

/** Asks, and has Ara answer with a grant in writing. */
async function grant(rig: Rig, terms: string, line = "npm test", n = 1): Promise<PromptEvent> {
  const event = await rig.raise(command(line), n);
  await rig.chat.text(`grant ${readShortId(rig, event)} ${terms}`);
  return event;
}

async function stateAfter(
  rig: Rig,
  n: number,
  over: Partial<PromptEvent> = command("npm test"),
): Promise<string | undefined> {
  return rig.readState(await rig.raise(over, n));
}

function details(rig: Rig, step: string): object[] {
  return [...rig.store.audit.readAfter(0)]
    .filter((row) => row.step === step)
    .map((row) => JSON.parse(row.details) as object);
}

describe("a grant from the card", () => {
  it("is offered beside yes and no, and answers the prompt together with all of its kind", async () => {
    const rig = await open();
    const first = await rig.raise(command("npm test"));
    const [card] = rig.chat.cards();
    expect(card!.notice.buttons.map(({ value }) => value)).toEqual(["1", "2", "3", "grant"]);
    await rig.chat.tap(card!, "grant");
    expect(rig.readState(first)).toBe("pending");
    const { answer } = rig.chat.answers.at(-1)!;
    expect(answer.text).toContain("npm test");
    const offered = answer.buttons!.find(({ label }) => label === "Yes, 5 times, in this session");
    const tap = { kind: "tap", identity: ARA.identities[0] as never, place: "p1", receivedAt: 0 } as const;
    await rig.chat.receive({ ...tap, token: offered!.token });
    expect(rig.readState(first)).toBe("answering");
    expect(rig.chat.lastAnswer).toContain("Grant g1: exactly this is allowed 5 times, in this session");
    expect(await stateAfter(rig, 2)).toBe("answering");
    expect(rig.link.replies.map(({ value, channelIdentity }) => [value, channelIdentity])).toEqual([
      ["1", "chat:1"],
      ["1", "auto:policy"],
    ]);
    expect(rig.store.prompts.find(makeEvent(2).promptId)?.answeredBy).toBe("grant g1 of Ara");
    expect(details(rig, "prompt_raised").at(-1)).toMatchObject({ verdict: "answer", rule: "grant g1" });
    expect(rig.chat.cards()).toHaveLength(1);
  });

  it("has nobody who may not answer offer or give it", async () => {
    const rig = await open();
    const event = await rig.raise(command("npm test"));
    const [card] = rig.chat.cards();
    await rig.chat.tap(card!, "grant", "chat:9");
    expect(rig.chat.answers.at(-1)?.answer.buttons).toBeUndefined();
    await rig.chat.text(`grant ${readShortId(rig, event)} 1h`, { identity: "chat:9" });
    expect(rig.readState(event)).toBe("pending");
    expect(details(rig, "grant_made")).toEqual([]);
  });

  it("is given with the answer, or not at all", async () => {
    const rig = await open();
    const event = await rig.raise(command("npm test"));
    const shortId = readShortId(rig, event);
    for (const words of ["25h", "0x", "101x", "5x anywhere", "often", ""]) {
      await rig.chat.text(`grant ${shortId} ${words}`);
      expect(rig.readState(event)).toBe("pending");
    }
    const answerWith = (value: string) =>
      rig.core.handlers["prompt.answer"](
        { shortId, value, grant: { forMs: null, uses: 5, anywhere: false } },
        { sessionId: null },
      );
    expect(await answerWith("3")).toMatchObject({ claimed: false, rejection: { code: "not_grantable" } });
    expect(await answerWith("2")).toMatchObject({ claimed: false, rejection: { code: "not_grantable" } });
    expect(await answerWith("1")).toMatchObject({ claimed: true, grant: "g1" });
  });

  it("takes a second step where the card leaves something out", async () => {
    const rig = await open();
    rig.chat.countOmitted = () => 3_000;
    const event = await rig.raise(command("npm test"));
    await rig.chat.text(`grant ${readShortId(rig, event)} 5x`);
    expect(rig.chat.lastAnswer).toContain("3,000 characters not shown: no answer was given.");
    await rig.chat.tap(rig.chat.cards()[0]!, "grant");
    const tap = { kind: "tap", identity: ARA.identities[0] as never, place: "p1", receivedAt: 0 } as const;
    const press = (words: string): Promise<void> => {
      const button = rig.chat.answers.at(-1)!.answer.buttons!.find(({ label }) => label.endsWith(words));
      return rig.chat.receive({ ...tap, token: button!.token });
    };
    await press("Yes, 5 times, in this session");
    expect(rig.readState(event)).toBe("pending");
    await press("⚠️ With 3,000 not shown: Yes, 5 times, in this session");
    expect(rig.readState(event)).toBe("answering");
    expect(rig.chat.lastAnswer).toContain("Grant g1: exactly this is allowed 5 times");
  });
});

describe("a grant covers", () => {
  it.each([
    ["other words", command("npm test -- --watch")],
    ["another command", command("npm run test")],
    [
      "another argument",
      {
        ...command("npm test"),
        content: {
          text: "npm test",
          cut: null,
          call: { tool: "Bash", input: { command: "npm test", run_in_background: true } },
        },
      },
    ],
    [
      "another tool call",
      {
        ...command("npm test"),
        content: { text: "npm test", cut: null, call: { tool: "Shell", input: { command: "npm test" } } },
      },
    ],
    [
      "another directory",
      {
        ...command("npm test"),
        content: {
          text: "npm test",
          cut: null,
          call: { tool: "Bash", input: { command: "npm test" }, cwd: "/srv" },
        },
      },
    ],
    [
      "other choices",
      {
        ...command("npm test"),
        choices: [
          { label: "Yes", intent: "allow_once" },
          { label: "No", intent: "reject_once" },
        ],
        constraints: { minChoice: 1, maxChoice: 2 },
      },
    ],
    [
      "content that is cut",
      {
        ...command("npm test"),
        content: { text: "npm test", cut: {}, call: { tool: "Bash", input: { command: "npm test" } } },
      },
    ],
    [
      "content that is hidden",
      {
        ...command("npm test"),
        content: {
          text: "npm test",
          cut: null,
          hidden: { characters: 3, kinds: ["token"] },
          call: { tool: "Bash", input: { command: "npm test" } },
        },
      },
    ],
    ["low confidence", { ...command("npm test"), confidence: "low" }],
    ["another class", { ...command("npm test"), safetyClass: "trust" }],
    ["no report of the tool", { ...command("npm test"), content: { text: "npm test", cut: null } }],
  ] as [string, Partial<PromptEvent>][])("not %s", async (_, over) => {
    const rig = await open();
    await grant(rig, "1h");
    expect(await stateAfter(rig, 2, over)).toBe("pending");
    expect(await stateAfter(rig, 3)).toBe("answering");
  });

  it.each([
    ["in a row of their own", (words: string) => ({ text: `npm test\ndescription: ${words}` })],
    [
      "in several rows",
      (words: string) => ({ description: `${words}\nall`, text: `npm test\ndescription:\n${words}\nall` }),
    ],
    ["behind the command", (words: string) => ({ text: "npm test", excerpt: `npm test (${words})` })],
    [
      "in a question that was cut",
      (words: string) => ({ text: "npm test", excerpt: `npm test (${words.slice(0, 12)}…` }),
    ],
  ] as [string, (words: string) => { text: string; excerpt?: string; description?: string }][])(
    "the same command with other words for people %s",
    async (_, show) => {
      const rig = await open();
      const ask = (words: string, n: number): Promise<PromptEvent> => {
        const { text, excerpt = "Run this?", description = words } = show(words);
        const call = { tool: "Bash", input: { command: "npm test", description } };
        const content = { text, cut: null, call };
        return rig.raise({ ...command("npm test"), excerpt, content, contentHash: String(n) }, n);
      };
      const first = await ask("Runs the tests", 1);
      await rig.chat.text(`grant ${readShortId(rig, first)} 1h`);
      expect(rig.readState(await ask("Checks that all is well", 2))).toBe("answering");
    },
  );

  const edit = (text: string, over: Partial<PromptEvent> = {}): Partial<PromptEvent> => ({
    ...command("npm test"),
    content: { text, cut: null, call: { tool: "edit", input: { file_path: "/p/a" } } },
    ...over,
  });
  it.each([
    ["another change than the call reports", edit("/p/a\n-a\n+b"), edit("/p/a\n-a\n+evil")],
    ["another question", edit("", { excerpt: "Read a?" }), edit("", { excerpt: "Read /etc/shadow?" })],
    [
      "another question that was cut",
      edit("", { excerpt: "Read a…", contentHash: "a" }),
      edit("", { excerpt: "Read a…", contentHash: "b" }),
    ],
    [
      "a row that looks like words for people and is none",
      edit("x\ndescription: a"),
      edit("x\ndescription: b"),
    ],
    [
      "a command with other content",
      { ...command("npm test"), content: { ...command("npm test").content!, text: "a" } },
      { ...command("npm test"), content: { ...command("npm test").content!, text: "b" } },
    ],
  ] as [string, Partial<PromptEvent>, Partial<PromptEvent>][])("not %s", async (_, granted, other) => {
    const rig = await open();
    const first = await rig.raise(granted, 1);
    await rig.chat.text(`grant ${readShortId(rig, first)} 5x 1h`);
    expect(rig.readState(await rig.raise(granted, 2))).toBe("answering");
    expect(rig.readState(await rig.raise(other, 3))).not.toBe("answering");
  });

  it.each([
    ["a command that is not plain", command("npm test $(cat x)")],
    ["a deletion", command("rm -rf build")],
    ["our own files", command("cat /home/ara/.config/atlasbridge/config.yaml")],
    ["a trust dialog", { ...command("npm test"), safetyClass: "trust" }],
    [
      "a prompt that is only read from the screen",
      { ...command("npm test"), content: { text: "npm test", cut: null } },
    ],
  ] as [string, Partial<PromptEvent>][])("never %s", async (_, over) => {
    const rig = await open();
    const event = await rig.raise(over);
    expect(rig.chat.cards()[0]!.notice.buttons.map(({ value }) => value)).not.toContain("grant");
    await rig.chat.text(`grant ${readShortId(rig, event)} 1h`);
    expect(rig.chat.lastAnswer).toContain("No grant was made");
    expect(rig.readState(event)).toBe("pending");
  });

  it("its own session only, unless it was given for others as well", async () => {
    const rig = await open();
    const other = asId<SessionId>("33333333-3333-4333-8333-333333333333");
    await rig.core.handlers["session.open"](sessionParams({ sessionId: other, pid: 4343 }), {
      sessionId: null,
    });
    const elsewhere = async (n: number, tool = "npm test") => {
      const event = makeEvent(n, { ...command(tool), sessionId: other });
      await rig.core.handlers["prompt.raise"](event as never, { sessionId: other });
      return rig.readState(event);
    };
    await grant(rig, "1h");
    expect(await elsewhere(2)).toBe("pending");
    await grant(rig, "1h anywhere", "npm run lint", 3);
    expect(await elsewhere(4, "npm run lint")).toBe("answering");
  });
});

describe("a grant ends", () => {
  it("after its uses, across restarts, and counts none twice", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const first = await open({ path });
    await grant(first, "3x");
    expect(await stateAfter(first, 2)).toBe("answering");
    // The worker raises it again after a lost connection.
    expect(await stateAfter(first, 2)).toBe("answering");
    // As after kill -9: nothing is closed in order.
    first.store.close();
    const rig = await open({ path });
    expect(await stateAfter(rig, 3)).toBe("answering");
    expect(await stateAfter(rig, 4)).toBe("answering");
    expect(await stateAfter(rig, 5)).toBe("pending");
    expect(details(rig, "prompt_claimed")).toHaveLength(4);
  });

  it("at its time exactly", async () => {
    const rig = await open();
    await grant(rig, "10m");
    rig.clock.advance(10 * MINUTE - 1);
    expect(await stateAfter(rig, 2)).toBe("answering");
    rig.clock.advance(1);
    expect(await stateAfter(rig, 3)).toBe("pending");
    expect(await rig.core.handlers["grants.list"]({}, { sessionId: null })).toEqual([]);
  });

  it("with its session", async () => {
    const rig = await open();
    await grant(rig, "session");
    expect(await rig.core.handlers["grants.list"]({}, { sessionId: null })).toMatchObject([
      {
        id: "g1",
        request: "npm test",
        directory: "/home/ara/project",
        by: "Ara",
        used: 0,
        uses: null,
        endsAt: null,
      },
    ]);
    await rig.core.handlers["session.close"](
      { sessionId: SESSION, exitCode: 0, signal: null },
      { sessionId: SESSION },
    );
    expect(await rig.core.handlers["grants.list"]({}, { sessionId: null })).toEqual([]);
  });

  it("when somebody revokes it, from a chat or on this machine", async () => {
    const rig = await open();
    await grant(rig, "1h");
    await rig.chat.text("grants");
    expect(rig.chat.lastAnswer).toMatch(
      /^g1 {2}claude: npm test · \/home\/ara\/project · one session · by Ara · used 0 times · 60 min left/,
    );
    await rig.chat.text("revoke g1", { identity: "chat:9" });
    expect(await stateAfter(rig, 2)).toBe("answering");
    await rig.chat.text("revoke g1");
    expect(await stateAfter(rig, 3)).toBe("pending");
    await grant(rig, "1h", "npm run lint", 4);
    expect(await rig.core.handlers["grants.revoke"]({ grant: null }, { sessionId: null })).toEqual({
      ended: ["g2"],
    });
    expect(await stateAfter(rig, 5, command("npm run lint"))).toBe("pending");
    expect(details(rig, "grant_revoked")).toMatchObject([{ grant: "g1" }, { grant: "g2" }]);
  });

  it("for as long as the hub is paused, or the session's mode is off", async () => {
    const rig = await open();
    await grant(rig, "1h");
    await rig.core.setPaused(true, asId("cli:local"));
    expect(await stateAfter(rig, 2)).toBe("pending");
    await rig.core.setPaused(false, asId("cli:local"));
    expect(await stateAfter(rig, 3)).toBe("answering");
    await rig.core.handlers["session.mode"]({ sessionId: SESSION, mode: "off" }, { sessionId: null });
    expect(await stateAfter(rig, 4)).toBe("pending");
  });

  it("is listed with what keeps it from answering", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const first = await open({ path });
    await grant(first, "1h");
    const holds = async (rig: Rig) =>
      (await rig.core.handlers["grants.list"]({}, { sessionId: null })).map(({ hold }) => hold);
    expect(await holds(first)).toEqual([null]);
    await first.core.setPaused(true, asId("cli:local"));
    expect(await holds(first)).toEqual(["answers nothing while the hub is paused"]);
    await first.core.setPaused(false, asId("cli:local"));
    await first.core.handlers["session.mode"]({ sessionId: SESSION, mode: "off" }, { sessionId: null });
    expect(await holds(first)).toEqual(["answers nothing while its session's mode is off"]);
    await first.chat.text("grants");
    expect(first.chat.lastAnswer).toContain(" · ⚠ answers nothing while its session's mode is off\n");
    first.store.close();
    const rest = { name: "Bo", identities: ["chat:2"], role: "approver" as const };
    const rig = await open({ path, settings: { ...SETTINGS, people: [rest] } });
    expect(await holds(rig)).toEqual(["answers nothing: Ara may not answer any more"]);
  });

  it("when its maker may not answer any more", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const first = await open({ path });
    await grant(first, "1h");
    first.store.close();
    const people = [
      { ...ARA, role: "viewer" as const },
      { name: "Ben", identities: ["chat:2"], role: "approver" as const },
    ];
    const rig = await open({ path, settings: { ...SETTINGS, people } });
    expect(await stateAfter(rig, 2)).toBe("pending");
  });
});

describe("a rule stands above a grant", () => {
  it.each([
    ["denies", "{ deny: true }", "answering", "3"],
    ["asks for two people", "{ ask: { quorum: 2 } }", "pending", undefined],
    ["asks for a number", "{ ask: { number_match: true } }", "pending", undefined],
    ["keeps it on this machine", "{ ask: { local_only: true } }", "pending", undefined],
    ["lets only others approve", "{ ask: { approvers: [Ben] } }", "pending", undefined],
    ["only tells of it", "{ notify: true }", "pending", undefined],
  ])("that %s", async (_, action, state, value) => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const first = await open({ path });
    await grant(first, "1h");
    first.store.close();
    const people = [ARA, { name: "Ben", identities: ["chat:2"], role: "approver" as const }];
    const rules = `\n  - ${action.replace("{", "{ id: above,")}\n`;
    const rig = await open({ path, rules, settings: { ...SETTINGS, people } });
    expect(await stateAfter(rig, 2)).toBe(state);
    const { promptId } = makeEvent(2);
    expect(rig.link.replies.find((reply) => reply.promptId === promptId)?.value).toBe(value);
  });

  it("in mode assist a grant answers at once, and is no suggestion", async () => {
    const rig = await open({ mode: "assist" });
    await grant(rig, "1h");
    expect(await stateAfter(rig, 2)).toBe("answering");
  });
});

it("an answer that the worker refused stays with people, and its use is spent", async () => {
  const rig = await open();
  await grant(rig, "1x");
  const event = await rig.raise(command("npm test"), 2);
  const replyId = rig.store.prompts.find(event.promptId)?.replyId ?? "";
  const rejection = { code: "typing", text: "somebody was typing" };
  await rig.core.handlers["reply.refuse"](
    { promptId: event.promptId, replyId, rejection, stillAsked: true },
    { sessionId: SESSION },
  );
  await turns();
  expect(rig.readState(event)).toBe("pending");
  expect(rig.chat.cards().at(-1)?.notice.policyNote).toBe(
    "Grant g1 of Ara gave the answer Yes, which was not applied: it is for you to decide.",
  );
  rig.clock.advance(60 * MINUTE);
  expect(rig.link.replies).toHaveLength(2);
  expect(await stateAfter(rig, 3)).toBe("pending");
});

it("at most a hundred grants hold at once", async () => {
  const rig = await open({ started: false });
  const event = await rig.raise(command("npm test"));
  const row = {
    forMs: null,
    uses: null,
    anywhere: false,
    key: "",
    sessionId: SESSION,
    used: 0,
    madeAt: 0,
    movedByMs: 0,
  };
  for (let n = 0; n < 100; n += 1)
    rig.store.write(() => rig.store.settings.set("grant", `g${n}`, JSON.stringify(row)));
  const { shortId = "" } = rig.store.prompts.find(event.promptId) ?? {};
  const answer = { shortId, value: "1", grant: { forMs: null, uses: 5, anywhere: false } };
  expect(await rig.core.handlers["prompt.answer"](answer, { sessionId: null })).toMatchObject({
    rejection: { code: "not_grantable", text: expect.stringContaining("revoke some") as string },
  });
});
