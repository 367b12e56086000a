/**
 * A form that a tool reports by a hook and draws is raised with its fields. The values are sent by hook while a key closes the
 * dialog, and nothing is reported as answered that the tool did not take.
 */
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { promptEvent } from "../../../../../src/wire/prompt-event.js";
import type { PtyAdapter } from "../../../../../src/worker/runtimes/terminal/pty-adapter.js";
import { answer, endAll, shows, startHooked } from "../../../support/hooked-tool.js";

afterEach(endAll);

const MESSAGE = "Which environment should be used?";
const AGENT = "asks-for-a-form";
const start = (told = MESSAGE, ...more: readonly string[]) => startHooked(MESSAGE, told, AGENT, ...more);
const screen = (adapter: PtyAdapter): string => adapter.remoteControls.screen().text ?? "";

describe("a form that a tool reports by a hook, and draws", () => {
  it("is raised with its fields, and closing it gives the tool the values", async () => {
    const { adapter, raised } = await start();
    const event = await raised();
    expect(event).toMatchObject({ promptType: "free_text", excerpt: MESSAGE, safetyClass: "question" });
    expect(event.content.cut).toEqual({ told: true });
    const options = [{ label: "Yes" }, { label: "No" }, { label: "(leave out)" }];
    expect(event.constraints.form?.[1]).toEqual({ name: "fast", question: "Fast", options });
    for (const part of ["1) Name", "2) Fast", "mcp_server_name: ops"])
      expect(event.content.text).toContain(part);
    expect(v.is(promptEvent, event)).toBe(true);
    expect(await answer(adapter, event, '{"name":"staging","fast":"No"}')).toMatchObject({
      receipt: { outcome: "answered", proof: "read", route: "keys", bytesWritten: 1 },
    });
    await shows(adapter, 'accept {"name":"staging","fast":false}');
  });

  it("is declined in the same way", async () => {
    const { adapter, raised } = await start();
    expect(await answer(adapter, await raised(), "decline")).toMatchObject({
      receipt: { outcome: "answered" },
    });
    await shows(adapter, "decline {}");
  });

  it("is not changed by an answer that does not fit it", async () => {
    const { adapter, raised } = await start();
    const event = await raised();
    expect(await answer(adapter, event, '{"name":"staging","fast":"Perhaps"}')).toMatchObject({
      kind: "refused",
      rejection: { code: "option_unknown" },
      stillAsked: true,
    });
    expect(screen(adapter)).toContain(MESSAGE);
  });

  it("is not reported as answered where the tool never fetches the answer", async () => {
    const { adapter, raised } = await start(MESSAGE, "mute");
    expect(await answer(adapter, await raised(), "decline")).toMatchObject({
      receipt: { outcome: "uncertain", evidence: expect.stringContaining("did not ask") as string },
    });
  });

  it("that was answered without a key of ours stays answered", async () => {
    const { adapter, raised } = await start();
    await raised();
    void adapter.session.terminal.write(Buffer.from("c"));
    await shows(adapter, "early cancel {}");
  });

  it("is not raised as a form where the dialog asks something else", async () => {
    const { raised } = await start("Something harmless?");
    const event = await raised();
    expect(event.promptType).toBe("unknown");
    expect(event.content.text).not.toContain("harmless");
  });
});
