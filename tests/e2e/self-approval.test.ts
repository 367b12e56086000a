/**
 * The hub takes no approval from a tool, whether by our own command, at the socket, in a session of its own, as an orphan or
 * forked twice. Each attempt is on record.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { eventually, MAIN } from "../support/hub-home.js";
import { type Rig, withRig } from "../support/rig/rig.js";
import { notLinux, skipped } from "../support/skipped.js";

const TRIES = [
  "a child without the mark",
  "a session of its own",
  "an orphan in a session of its own",
  "an orphan without the mark",
];

const COMMANDS = ["a background job of a shell", "a child", "a session of its own", "forked twice"];

type Line = Readonly<Record<string, unknown>>;

function readLines(log: string): Line[] {
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  // The last line may be in the making.
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** What the audit says of answers that were turned away. */
function rejections({ home }: Rig): Line[] {
  const database = new Database(home.paths.database, { readonly: true });
  try {
    const rows = database
      .prepare("SELECT session_id, prompt_id, identity, details FROM audit WHERE step = 'answer_rejected'")
      .all() as Record<string, string>[];
    return rows.map(({ details = "", ...row }) => ({ ...row, ...(JSON.parse(details) as Line) }));
  } finally {
    database.close();
  }
}

it.skipIf(skipped(notLinux))("a tool cannot approve its own prompt by any process that it starts", () =>
  withRig(async (rig) => {
    const log = join(rig.home.folder, "tries");
    const lines = (): Line[] => readLines(log);
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

it.skipIf(skipped(notLinux))(
  "a tool cannot approve its own prompt with our own command, and each attempt is on record",
  () =>
    withRig(async (rig) => {
      const log = join(rig.home.folder, "tries");
      const run = rig.run([process.execPath, "tests/fixtures/agents/answers-by-command.mjs", MAIN, log], {
        cwd: process.cwd(),
      });
      const card = await run.card();
      const tries = await eventually(() => readLines(log).length === COMMANDS.length && readLines(log));
      expect(tries.map(({ name }) => name).sort()).toEqual(COMMANDS);
      for (const each of tries)
        expect(each).toMatchObject({ status: "error", error: { code: "ATB_SUPERVISED" } });

      const [prompt] = await rig.prompts();
      expect(prompt).toMatchObject({ shortId: card.shortId, state: "pending" });
      const turnedAway = {
        session_id: prompt?.sessionId,
        prompt_id: prompt?.promptId,
        identity: "cli:local",
        code: "supervised",
      };
      expect(rejections(rig)).toEqual(COMMANDS.map(() => turnedAway));

      // The very same command from outside is a person's.
      await rig.home.data("answer", card.shortId, "n");
      await run.exited;
      expect(readLines(log).at(-1)).toEqual({ name: "typed", line: "n" });
      expect(rejections(rig)).toHaveLength(COMMANDS.length);
    }),
);
