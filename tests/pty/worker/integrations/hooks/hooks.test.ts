/**
 * A tool that calls a hook beside its dialog raises one prompt with the whole input, and is answered by the hook without a key or
 * at its keyboard. A program of the tool that forges a hook call gets no answer of the tool.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import type { AdapterEvent } from "../../../../../src/sdk/adapter.js";
import type { PtyAdapter } from "../../../../../src/worker/runtimes/terminal/pty-adapter.js";
import { notLinux, skipped } from "../../../../support/skipped.js";
import { answer, endAll, shows, startHooked as start } from "../../../support/hooked-tool.js";

afterEach(endAll);

const drawn = async (adapter: PtyAdapter): Promise<void> => {
  // The dialog has joined once the tool takes keys for it; until then a digit would be typed at nothing.
  while ((await adapter.snapshotContext())["toolState"] !== "waiting")
    await new Promise((done) => setImmediate(done));
};

/** The next prompt with this content, whatever else is told before. A dialog may be raised before its call arrives. */
async function raisedWith(next: () => Promise<AdapterEvent>, text: string): Promise<PromptEvent> {
  for (;;) {
    const told = await next();
    if (told.kind === "raised" && told.event.content.text.includes(text)) return told.event;
  }
}

describe("a tool that calls a hook beside its dialog", () => {
  it("asks once, with the whole input, and is answered without a key", async () => {
    const { adapter, raised } = await start("rm -rf build", "rm -rf build", "asks-by-hook", "later");
    const event = await raised();
    expect(event).toMatchObject({
      sources: [{ kind: "hook" }],
      content: { text: "rm -rf build", cut: null },
    });
    await adapter.session.terminal.write(Buffer.from("d"));
    await drawn(adapter);
    expect(await answer(adapter, event, "1")).toMatchObject({
      kind: "receipt",
      receipt: { outcome: "answered", proof: "effect", route: "hook" },
    });
    expect((await adapter.snapshotContext()).promptCount).toBe(1);
  });

  it("is answered at the keyboard as without us", async () => {
    const { adapter, raised, next } = await start("rm -rf build", "rm -rf build");
    const event = await raised();
    await drawn(adapter);
    adapter.session.typeKeys(Buffer.from("2"), true);
    expect(await next()).toEqual({ kind: "withdrawn", promptId: event.promptId, reason: "answered_locally" });
    expect(await answer(adapter, event, "1")).toMatchObject({
      kind: "refused",
      rejection: { code: "withdrawn" },
    });
  });

  it("is answered at the keyboard before its dialog was found", async () => {
    const { adapter, raised, next } = await start("rm -rf build", "rm -rf build");
    const event = await raised();
    await shows(adapter, "1. Yes");
    adapter.session.typeKeys(Buffer.from("1"), true);
    expect(await next()).toEqual({ kind: "withdrawn", promptId: event.promptId, reason: "answered_locally" });
  });

  it("is not reported as answered by us where the keyboard was faster, although its call still waits", async () => {
    const { adapter, raised, next } = await start("rm -rf build", "rm -rf build");
    const event = await raised();
    await drawn(adapter);
    adapter.session.typeKeys(Buffer.from("1"), true);
    expect(await answer(adapter, event, "2")).toMatchObject({
      kind: "refused",
      rejection: { code: "withdrawn" },
    });
    expect(await next()).toEqual({ kind: "withdrawn", promptId: event.promptId, reason: "answered_locally" });
    await shows(adapter, 'typed "1"');
  });

  it("is compared with its dialog as it was read, and a call that no dialog shows is not", async () => {
    const { adapter, raised, compared } = await start("rm -rf build", "rm -rf build");
    await raised();
    await drawn(adapter);
    expect(compared).toMatchObject([{ differences: [], dialog: { safetyClass: "permission" } }]);
    const forged = await start("rm -rf /", "ls");
    await raisedWith(forged.next, "ls");
    while ((await forged.next()).kind !== "noted");
    expect(forged.compared).toEqual([]);
  });

  it("raises no dialog that shows another call, and an answer to the call never reaches that dialog", async () => {
    const { adapter, next } = await start("rm -rf /", "ls");
    const forged = await raisedWith(next, "ls");
    let event = await next();
    while (event.kind !== "noted") event = await next();
    expect(event).toEqual({ kind: "noted", promptId: forged.promptId, note: "screen_differs" });
    await answer(adapter, forged, "1");
    // The dialog still stands, and takes its own answer now.
    const real = await raisedWith(next, "rm -rf /");
    expect(real.sources).toEqual([{ kind: "screen", name: "permission" }]);
    expect(await answer(adapter, real, "2")).toMatchObject({
      receipt: { outcome: "answered", route: "keys" },
    });
  });

  it("and drops the call has its dialog raised anew from the screen, and answered with keys", async () => {
    const { adapter, raised, next } = await start("rm -rf build", "rm -rf build");
    const event = await raised();
    await drawn(adapter);
    void adapter.session.terminal.write(Buffer.from("x"));
    expect(await next()).toEqual({ kind: "withdrawn", promptId: event.promptId, reason: "superseded" });
    const again = await raised();
    expect(again.sources).toEqual([{ kind: "screen", name: "permission" }]);
    expect(await answer(adapter, again, "1")).toMatchObject({
      receipt: { outcome: "answered", route: "keys" },
    });
  });
});

describe("a program that the tool runs, with the address and the secret", () => {
  describe.skipIf(skipped(notLinux))("is ignored", () => {
    it.each([
      ["where it runs apart from the tool's terminal, as commands do", "apart"],
      ["where it is talked to through pipes, as servers are", "piped"],
    ])("%s", async (_, how) => {
      const { adapter, raised } = await start("rm -rf /", "rm -rf /", "forges-a-hook", how);
      const event = await raised();
      expect(event.sources).toEqual([{ kind: "screen", name: "permission" }]);
      await shows(adapter, "FORGED 403");
      expect((await adapter.snapshotContext()).promptCount).toBe(1);
      expect(await answer(adapter, event, "2")).toMatchObject({
        receipt: { outcome: "answered", route: "keys" },
      });
    });
  });

  it("and that has the tool's own terminal raises a prompt of its own, and the answer stays with it", async () => {
    const { adapter, next } = await start("rm -rf /", "ls", "forges-a-hook", "beside");
    const forged = await raisedWith(next, "ls");
    expect(await answer(adapter, forged, "1")).toMatchObject({ receipt: { route: "hook" } });
    await shows(adapter, "FORGED 200");
    expect(await answer(adapter, await raisedWith(next, "rm -rf /"), "2")).toMatchObject({
      receipt: { outcome: "answered", route: "keys" },
    });
  });
});
