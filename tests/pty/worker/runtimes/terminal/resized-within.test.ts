/** A program in the tool's terminal changes its size while a permission is open: the permission is raised anew, and its first card types nothing. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadAdapter } from "../../../../../src/plugins/adapters/adapters.js";
import type { AdapterEvent } from "../../../../../src/sdk/adapter.js";
import { PtyAdapter } from "../../../../../src/worker/runtimes/terminal/pty-adapter.js";
import { answer } from "../../../support/hooked-tool.js";
import { ptyOptions, SESSION_ID } from "../../../../support/pty-options.js";

async function start() {
  const folder = mkdtempSync(join(tmpdir(), "atb-size-"));
  const log = join(folder, "log");
  const adapter = new PtyAdapter(ptyOptions(await loadAdapter("claude", { adaptersDir: "none" })));
  const agent = resolve("tests/fixtures/agents/resizes-itself.mjs");
  await adapter.startSession([process.execPath, agent, log]);
  const reading = (async () => {
    for await (const chunk of adapter.readStream()) if (chunk.length === 0) break;
  })();
  onTestFinished(async () => {
    await adapter.terminateSession(SESSION_ID);
    await reading;
    rmSync(folder, { recursive: true, force: true });
  });
  const events = adapter.events()[Symbol.asyncIterator]();
  const next = async (): Promise<Exclude<AdapterEvent, { kind: "state" }>> => {
    for (;;) {
      const event = (await events.next()).value as AdapterEvent;
      if (event.kind !== "state") return event;
    }
  };
  const raised = async () => {
    const event = await next();
    if (event.kind !== "raised") throw new Error(`not raised, but ${JSON.stringify(event)}`);
    return event.event;
  };
  const happened = (): unknown[] => {
    try {
      return readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown);
    } catch {
      return [];
    }
  };
  const resize = async (): Promise<void> => {
    adapter.session.terminal.kill("SIGUSR2");
    await expect.poll(happened).toContainEqual({ stty: 0 });
  };
  return { adapter, next, raised, happened, resize };
}

it("a permission is raised anew, its first card types nothing, and the second one is answered", async () => {
  const { adapter, next, raised, happened, resize } = await start();
  const first = await raised();
  await resize();
  // The dialog stands there character by character as it was.
  expect(await answer(adapter, first, "1")).toMatchObject({ kind: "refused" });
  expect(happened()).toEqual([{ stty: 0 }]);
  expect(await next()).toMatchObject({ kind: "withdrawn", promptId: first.promptId });
  const second = await raised();
  expect(second.promptId).not.toBe(first.promptId);
  await answer(adapter, second, "1");
  expect(happened()).toEqual([{ stty: 0 }, { key: "1" }]);
});
