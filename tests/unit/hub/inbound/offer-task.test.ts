/** A plain text becomes a task after one tap, of the idle session that the button names. Nothing is typed before. */
import { describe, expect, it } from "vitest";
import { asId, type Identity, type SessionId, type Token } from "../../../../src/model/ids.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { turns } from "../fake-channel.js";
import {
  ARA,
  FakeLink,
  makeRig,
  SESSION,
  sessionParams,
  SETTINGS,
  type Rig,
  type RigOptions,
} from "../rig.js";

const VI = { name: "Vi", identities: ["chat:2"], role: "viewer" } as const;
const OTHER = asId<SessionId>("44444444-4444-4444-8444-444444444444");
const TASK = "run the tests: all of them";

async function makeIdle(options: RigOptions = {}): Promise<Rig> {
  const rig = await makeRig(options);
  await rig.core.handlers["session.state"]({ sessionId: SESSION, state: "idle" }, { sessionId: SESSION });
  return rig;
}

async function openOther(rig: Rig): Promise<FakeLink> {
  const link = new FakeLink();
  const params = sessionParams({ sessionId: OTHER, label: "web" });
  await rig.core.handlers["session.open"](params, { sessionId: null });
  rig.core.connected(OTHER, link);
  await rig.core.handlers["session.state"]({ sessionId: OTHER, state: "idle" }, { sessionId: OTHER });
  return link;
}

async function say(rig: Rig, text: string, identity = "chat:1") {
  await rig.chat.text(text, { identity });
  return rig.chat.answers.at(-1)!.answer;
}

async function press(rig: Rig, token: Token, identity = "chat:1") {
  const from = { identity: asId<Identity>(identity), place: "p1", receivedAt: 0 };
  await rig.chat.receive({ kind: "tap", token, ref: { place: "p1", message: 99 }, ...from });
  await turns(6);
  return rig.chat.answers.at(-1)!.answer;
}

describe("a plain text while a session is idle", () => {
  it("is its task after one tap, and only once", async () => {
    const rig = await makeIdle();
    const { text, buttons = [] } = await say(rig, TASK);
    expect(text).toBe("That is no command. Only a tap makes it a task:");
    expect(buttons.map(({ label }) => label)).toEqual(["Give claude this task"]);
    expect(rig.link.tasks).toEqual([]);
    const answer = await press(rig, buttons[0]!.token);
    expect(answer).toMatchObject({ text: "⏳ Given to claude.", closesCard: true });
    expect(rig.link.tasks.map((task) => task.text)).toEqual([TASK]);
    expect(await press(rig, buttons[0]!.token)).toMatchObject({
      text: "It was given already.",
      closesCard: true,
    });
    expect(rig.link.tasks).toHaveLength(1);
  });

  it("goes to the session that the tapped button names", async () => {
    const rig = await makeIdle();
    const link = await openOther(rig);
    const { buttons = [] } = await say(rig, TASK);
    expect(buttons.map(({ label }) => label)).toEqual([`Task for ${SESSION.slice(0, 8)}`, "Task for web"]);
    await press(rig, buttons[1]!.token);
    expect([rig.link.tasks, link.tasks]).toMatchObject([[], [{ text: TASK }]]);
    // The other button of the same message gives nothing any more.
    await press(rig, buttons[0]!.token);
    expect(rig.link.tasks).toEqual([]);
  });

  it("is offered beside the open prompts of another session, which it does not fit", async () => {
    const rig = await makeIdle();
    await openOther(rig);
    await rig.raise();
    const { text, buttons = [] } = await say(rig, TASK);
    expect(text).toMatch(/^Nothing was answered\. Only a tap makes it a task:\n\n1 prompt is open\./);
    expect(buttons.map(({ label }) => label)).toEqual(["Give web this task"]);
  });

  it.each(["yes", "2", "/foo bar", "status"])("is no task if it is %j", async (text) => {
    const rig = await makeIdle();
    expect((await say(rig, text)).buttons).toBeUndefined();
  });

  it("is offered neither to viewers, nor while paused, nor beside a prompt for a secret", async () => {
    const rig = await makeIdle({ settings: { ...SETTINGS, people: [ARA, VI] } });
    expect((await say(rig, TASK, "chat:2")).buttons).toBeUndefined();
    await rig.core.setPaused(true, asId<Identity>("chat:1"));
    expect((await say(rig, TASK)).buttons).toBeUndefined();
    await rig.core.setPaused(false, asId<Identity>("chat:1"));
    expect((await say(rig, TASK)).buttons).toHaveLength(1);
    await openOther(rig);
    const secret = { promptType: "secret", safetyClass: "secret", choices: [], defaultChoice: null };
    await rig.raise(secret as unknown as Partial<PromptEvent>);
    expect((await say(rig, TASK)).buttons).toBeUndefined();
  });

  it("is refused by a tap that comes later than ten minutes", async () => {
    const rig = await makeIdle();
    const { buttons = [] } = await say(rig, TASK);
    rig.clock.advance(10 * 60_000 + 1);
    expect(await press(rig, buttons[0]!.token)).toEqual({
      text: "Nothing was typed: this was offered 10 min ago. Send the task again.",
      ...{ alert: true, closesCard: true },
    });
    expect(rig.link.tasks).toEqual([]);
  });

  it("is refused by a tap while the session asks something", async () => {
    const rig = await makeIdle();
    const { buttons = [] } = await say(rig, TASK);
    await rig.raise();
    expect(await press(rig, buttons[0]!.token)).toEqual({
      text: "Nothing was typed: claude does not wait for a task now. Send the task again.",
      ...{ alert: true, closesCard: true },
    });
    expect(rig.store.tasks.listOpenInSession(SESSION)).toEqual([]);
  });

  it("is not given by a viewer's tap", async () => {
    const rig = await makeIdle({ settings: { ...SETTINGS, people: [ARA, VI] } });
    const { buttons = [] } = await say(rig, TASK);
    expect((await press(rig, buttons[0]!.token, "chat:2")).text).toMatch(/may not give this session tasks/);
    expect(rig.link.tasks).toEqual([]);
    await press(rig, buttons[0]!.token);
    expect(rig.link.tasks).toHaveLength(1);
  });
});
