/**
 * A query of a tool about status reports (OSC 7501) is answered before all others, its output is not changed, and its reports set
 * the state of the session.
 */
import { resolve } from "node:path";
import { expect, it } from "vitest";
import type { AdapterEvent } from "../../../../src/sdk/adapter.js";
import { compileAdapter } from "../../../../src/worker/adapter-format/compiled/compile-rules.js";
import { PtyAdapter } from "../../../../src/worker/runtimes/terminal/pty-adapter.js";
import { ptyOptions } from "../../../support/pty-options.js";

const FILE = `
schema: 1
name: tells
version: 1.0.0
description: Tells its state
family: agent
process: { executable: node }
reports: { program_status: tells }
unread: screen
rules: []
`;

/** Short, so that the test is; a person's setting is seconds. */
const STUCK_TIMEOUT_MS = 100;

it("a query about status reports is answered before all others, the output stays as it is, and the reports are taken", async () => {
  const adapter = new PtyAdapter({
    ...ptyOptions(compileAdapter(FILE, "tells.yaml")),
    stuckTimeoutMs: STUCK_TIMEOUT_MS,
  });
  await adapter.startSession([process.execPath, resolve("tests/fixtures/agents/tells-its-state.mjs")]);
  const output: Uint8Array[] = [];
  const read = (async () => {
    for await (const chunk of adapter.readStream()) output.push(chunk);
  })();
  const events = adapter.events()[Symbol.asyncIterator]();
  const next = async (): Promise<AdapterEvent> => (await events.next()).value as AdapterEvent;

  expect(await next()).toEqual({ kind: "state", state: "working" });
  // Not typed by a person: a screen that comes up right behind a key was opened by it, and is not asked.
  void adapter.session.terminal.write(Buffer.from("!"));
  // No rule reads this screen; that it waits is only known because it says so.
  expect(await next()).toEqual({ kind: "state", state: "waiting" });
  const raised = await next();
  expect(raised).toMatchObject({ kind: "raised", event: { promptType: "unknown" } });
  void adapter.session.terminal.write(Buffer.from("q"));
  await read;
  expect(Buffer.concat(output).toString("latin1")).toBe(
    "\x1b]7501;?\x1b\\\x1b[c" +
      "\x1b]7501;state=working:app=tells\x1b\\heard" +
      "\x1b]7501;state=blocked:app=tells:kind=question\x07Which one",
  );
});
