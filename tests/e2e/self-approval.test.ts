import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { withRig } from "../support/rig/rig.js";

const TRIES = [
  "a child without the mark",
  "a session of its own",
  "an orphan in a session of its own",
  "an orphan without the mark",
];

it.skipIf(process.platform !== "linux")("a tool cannot approve itself, whatever it starts to do so", () =>
  withRig(async (rig) => {
    const log = join(rig.home.folder, "tries");
    const lines = (): Record<string, unknown>[] =>
      (existsSync(log) ? readFileSync(log, "utf8") : "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const agent = "tests/fixtures/agents/approves-itself.mjs";
    const run = rig.run([process.execPath, agent, rig.home.paths.socket, log], { cwd: process.cwd() });
    const card = await run.card();
    const tries = await eventually(() => lines().length === TRIES.length && lines());
    expect(tries.map(({ name }) => name).sort()).toEqual(TRIES);
    for (const each of tries) expect(each).toMatchObject({ claimed: false, code: "supervised" });

    await card.press(2);
    await run.exited;
    expect(lines().at(-1)).toEqual({ name: "typed", line: "n" });
  }),
);
