/**
 * With conversation.progress_every one line in the chat says how long a tool has been working, is edited in place, and ends with
 * the turn.
 */
import { describe, expect, it, vi } from "vitest";
import type { ToolState } from "../../../../src/model/tool-state.js";
import { turns } from "../fake-channel.js";
import { makeRig, SESSION, SETTINGS, type Rig } from "../rig.js";

const settingsWith = (progress_every: number) => ({
  ...SETTINGS,
  conversation: { ...SETTINGS.conversation, idle_message: false, progress_every },
});

async function toolIs(rig: Rig, state: ToolState): Promise<void> {
  await rig.core.handlers["session.state"]({ sessionId: SESSION, state }, { sessionId: SESSION });
  await turns();
}

async function after(rig: Rig, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    rig.clock.advance(1_000);
    await turns(1);
  }
}

describe("with conversation.progress_every", () => {
  it("one line says how long a tool has been working, changed in place until its turn is over", async () => {
    const rig = await makeRig({ settings: settingsWith(30_000) });
    await toolIs(rig, "working");
    await after(rig, 29_000);
    expect(rig.chat.messages).toEqual([]);
    await after(rig, 2_000);
    expect(rig.chat.texts()).toEqual(["⚙️ claude"]);
    await after(rig, 90_000);
    expect(rig.chat.messages).toHaveLength(1);
    expect(rig.chat.messages[0]!.outcome).toMatchObject({ text: "⚙️ working for 2 min", final: false });
    await toolIs(rig, "idle");
    await after(rig, 5_000);
    expect(rig.chat.messages).toHaveLength(1);
    expect(rig.chat.messages[0]!.outcome).toMatchObject({ text: "✔️ worked for 2 min", final: true });
    await toolIs(rig, "working");
    await after(rig, 31_000);
    expect(rig.chat.messages).toHaveLength(2);
  });

  it.each([-3_600_000, 365 * 86_400_000])(
    "it counts no time by which the clock is set meanwhile: %d ms",
    async (ms) => {
      const rig = await makeRig({ settings: settingsWith(30_000) });
      await toolIs(rig, "working");
      await after(rig, 1_000);
      rig.clock.setBy(ms);
      await after(rig, 95_000);
      expect(rig.chat.messages).toHaveLength(1);
      expect(rig.chat.messages[0]!.outcome).toMatchObject({ text: "⚙️ working for 1 min", final: false });
      await toolIs(rig, "idle");
      await after(rig, 5_000);
      expect(rig.chat.messages[0]!.outcome).toMatchObject({ text: "✔️ worked for 1 min", final: true });
    },
  );

  it("a line that could not be written is written later, and the hub goes on", async () => {
    const rig = await makeRig({ settings: settingsWith(30_000) });
    await toolIs(rig, "working");
    await after(rig, 31_000);
    const broken = vi.spyOn(rig.store.outbox, "addSettle").mockImplementation(() => {
      throw new Error("the disk is full");
    });
    await toolIs(rig, "idle");
    await after(rig, 10_000);
    expect(broken.mock.calls.length).toBeGreaterThan(1);
    broken.mockRestore();
    await after(rig, 10_000);
    expect(rig.chat.messages[0]!.outcome?.text).toMatch(/^✔️ worked/);
    expect(rig.chat.messages[0]!.outcome?.final).toBe(true);
  });

  it("a line of a hub that was ended is over with the next one, which posts a new one if the tool still works", async () => {
    const options = { settings: settingsWith(30_000) };
    const rig = await makeRig(options);
    await toolIs(rig, "working");
    await after(rig, 65_000);
    await rig.core.stop();
    const next = await makeRig({ ...options, path: rig.path, clock: rig.clock, chat: rig.chat });
    await after(next, 5_000);
    expect(rig.chat.messages[0]!.outcome).toMatchObject({
      text: "✔️ worked; the hub was restarted meanwhile",
      final: true,
    });
    await toolIs(next, "working");
    await after(next, 40_000);
    expect(rig.chat.messages).toHaveLength(2);
    expect(rig.chat.messages[0]!.outcome?.text).toMatch(/^✔️ worked/);
  });

  it("a short turn leaves no line, and a long one no more calls than it has lines", async () => {
    const rig = await makeRig({ settings: settingsWith(5_000) });
    await toolIs(rig, "working");
    await after(rig, 4_000);
    await toolIs(rig, "idle");
    await after(rig, 10_000);
    expect(rig.chat.messages).toEqual([]);
    await toolIs(rig, "working");
    let calls = 0;
    rig.chat.fault = () => {
      calls += 1;
      return undefined;
    };
    await after(rig, 60_000);
    expect(calls).toBeLessThanOrEqual(12);
  });

  it("of 0 no line is posted", async () => {
    const rig = await makeRig({ settings: settingsWith(0) });
    await toolIs(rig, "working");
    await after(rig, 120_000);
    expect(rig.chat.messages).toEqual([]);
  });

  it("it ends with its session", async () => {
    const rig = await makeRig({ settings: settingsWith(30_000) });
    await toolIs(rig, "working");
    await after(rig, 31_000);
    const closed = { sessionId: SESSION, exitCode: 0, signal: null };
    await rig.core.handlers["session.close"](closed, { sessionId: SESSION });
    await after(rig, 5_000);
    expect(rig.chat.messages[0]!.outcome).toMatchObject({ final: true });
    expect(rig.core.isIdle()).toBe(true);
  });
});
