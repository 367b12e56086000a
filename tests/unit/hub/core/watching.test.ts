/** A client that watches the hub hears of every change of a prompt and a session after it is on disk. */
import { describe, expect, it } from "vitest";
import { SESSION, makeRig, RECEIPT } from "../rig.js";

describe("a watching client", () => {
  it("hears of every change of a question and of a session, after it is on disk", async () => {
    const rig = await makeRig();
    let heard = 0;
    const states: unknown[] = [];
    const stop = rig.core.onWatch(() => {
      heard += 1;
      states.push(rig.store.sessions.find(SESSION)?.toolState);
    });
    const expectNews = async (step: () => unknown): Promise<void> => {
      const before = heard;
      await step();
      expect(heard).toBeGreaterThan(before);
    };
    await expectNews(() =>
      rig.core.handlers["session.state"]({ sessionId: SESSION, state: "working" }, { sessionId: SESSION }),
    );
    expect(states).toEqual(["working"]);
    const event = await rig.raise();
    await expectNews(() => rig.chat.tap(rig.chat.cards()[0]!, "1"));
    await expectNews(() => rig.begin(event));
    await expectNews(() => rig.end(event, RECEIPT));
    await expectNews(() => rig.core.setPaused(true, "chat:1" as never));
    await expectNews(() => rig.core.noteDisconnected(SESSION));
    await expectNews(() =>
      rig.core.handlers["session.close"](
        { sessionId: SESSION, exitCode: 0, signal: null },
        { sessionId: SESSION },
      ),
    );
    stop();
  });

  it("may ask what an answer may look like, with everything in it safe to show", async () => {
    const rig = await makeRig({ safeText: (text) => text.replaceAll("hunter2", "[redacted]") });
    const { promptId } = await rig.raise({
      choices: [
        { label: "Tick hunter2", intent: "other", detail: "or hunter2", takesText: "optional" },
        { label: "Other", intent: "other" },
      ],
      constraints: { multi: true, maxChoice: 2 },
    });
    const details = (id: string) =>
      rig.core.handlers["prompt.details"]({ promptId: id }, { sessionId: null });
    expect(await details(promptId)).toEqual({
      choices: [
        { label: "Tick [redacted]", intent: "other", detail: "or [redacted]", takesText: "optional" },
        { label: "Other", intent: "other" },
      ],
      constraints: { multi: true, maxChoice: 2 },
    });
    expect(await details("nobody-knows-it")).toBeNull();
  });
});
