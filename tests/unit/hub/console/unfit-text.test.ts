/** A copy or an edit where a command could stand: its sender reads that it is no command, and the attempt is on record as one. */
import { describe, expect, it } from "vitest";
import { asId, type Identity, type SessionId } from "../../../../src/model/ids.js";
import type { Inbound } from "../../../../src/sdk/channel.js";
import { turns } from "../fake-channel.js";
import { FakeLink, makeRig, SESSION, sessionParams, type Rig } from "../rig.js";

const CONSOLE = asId<SessionId>("33333333-3333-4333-8333-333333333333");
const FORWARDED = "A text that was forwarded, or sent through another bot, is no command; write it yourself.";

type Unfit = Extract<Inbound, { kind: "unfit" }>;

async function openConsole(): Promise<Rig> {
  const rig = await makeRig();
  const capabilities = { chatTurns: false, screenView: true, console: true };
  const params = sessionParams({ sessionId: CONSOLE, tool: "bash", label: "work", capabilities });
  await rig.core.handlers["session.open"](params, { sessionId: null });
  rig.core.connected(CONSOLE, new FakeLink());
  rig.clock.advance(10_000);
  await turns();
  return rig;
}

async function receive(rig: Rig, unfit: Partial<Unfit>): Promise<string | undefined> {
  const before = rig.chat.answers.length;
  const identity = asId<Identity>("chat:1");
  await rig.chat.receive({ kind: "unfit", why: "forwarded", identity, place: "p1", receivedAt: 0, ...unfit });
  return rig.chat.answers.slice(before)[0]?.answer.text;
}

const readRefused = (rig: Rig): object[] =>
  [...rig.store.audit.readAfter(0)]
    .filter(({ step }) => step === "console_refused" || step === "answer_rejected")
    .map(({ step, sessionId, details }) => ({ step, sessionId, ...(JSON.parse(details) as object) }));

describe("a text that its sender did not write, or not so", () => {
  it("is told to be no command in a console's topic", async () => {
    const rig = await openConsole();
    expect(await receive(rig, { about: CONSOLE })).toBe(FORWARDED);
    expect(await receive(rig, { about: CONSOLE, why: "edited" })).toBe(
      "An edited message is no command; write a new one.",
    );
    expect(readRefused(rig)).toEqual([
      { step: "console_refused", sessionId: CONSOLE, code: "forwarded" },
      { step: "console_refused", sessionId: CONSOLE, code: "edited" },
    ]);
  });

  it("is told so as well in reply to a message about a console", async () => {
    const rig = await openConsole();
    const opening = rig.chat.messages.find(({ notice }) =>
      JSON.stringify(notice).includes("console is open"),
    );
    expect(await receive(rig, { ref: opening!.ref })).toBe(FORWARDED);
    expect(readRefused(rig)).toEqual([{ step: "console_refused", sessionId: CONSOLE, code: "forwarded" }]);
  });

  it("is about an answer in a session that has no console", async () => {
    const rig = await openConsole();
    await rig.raise();
    expect(await receive(rig, { about: SESSION })).toBe("This is a copy; answer the original message.");
    expect(readRefused(rig)).toEqual([{ step: "answer_rejected", sessionId: null, code: "forwarded" }]);
  });

  it("gets no reply where somebody who is not listed says it in a session's topic", async () => {
    const rig = await openConsole();
    const identity = asId<Identity>("chat:9");
    expect(await receive(rig, { about: CONSOLE, identity })).toBeUndefined();
    expect(await receive(rig, { about: CONSOLE, identity, why: "anonymous" })).toContain("your own name");
    expect(readRefused(rig)).toHaveLength(2);
  });
});
