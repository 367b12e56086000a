/** The command that continues a session has the flags with which it was run. */
import { expect, it } from "vitest";
import { addRunFlags } from "../../../../src/app/run/run-lifecycle.js";
import type { RunToolOptions } from "../../../../src/app/run/run-tool-options.js";

const PLAIN: RunToolOptions = {
  command: ["claude"],
  label: null,
  cwd: "/home/ara/project",
  nameless: null,
  adapter: null,
  relay: true,
  relayRequired: false,
  ask: false,
  hooks: true,
  isolate: false,
  console: false,
  events: null,
  startWithinMs: null,
  quiet: false,
  askToRun: () => Promise.resolve(false),
};

it.each<[Partial<RunToolOptions>, string]>([
  [{}, "claude --resume 77"],
  [{ ask: true, label: "api" }, "--label api --ask claude --resume 77"],
  [{ label: "Ara's api" }, String.raw`--label 'Ara'\''s api' claude --resume 77`],
  [
    { isolate: true, relayRequired: true, hooks: false, adapter: "mine" },
    "--adapter mine --no-hooks --isolate --relay-required claude --resume 77",
  ],
])("%j", (flags, command) => {
  expect(addRunFlags({ ...PLAIN, ...flags }, "claude --resume 77")).toBe(command);
});
