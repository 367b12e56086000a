/**
 * Uses a real CLI under `atlasbridge run` for as many turns as there are situations, and writes what was asked and what was raised
 * to `docs/reference/live/`: `node --import tsx tests/support/live/main.ts TOOL [SITUATION…]`. Run it as a stand-in, as the recorder is.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { STAND_IN } from "../corpus/stand-in.js";
import { makeWorkspace } from "../real-cli/workspace.js";
import { withRig } from "../rig/rig.js";
import type { RaisedPrompt, Turn } from "./log.js";
import { openTool } from "./open-tool.js";
import { LiveSession } from "./session.js";
import { fitsIn, LIVE_TOOLS } from "./tools.js";

/** Situations are played again until there are so many turns. */
const TURNS_MIN = 44;

const { values, positionals } = parseArgs({
  options: { out: { type: "string", default: join(import.meta.dirname, "../../../docs/reference/live") } },
  allowPositionals: true,
});

async function main([name = "", ...names]: readonly string[]): Promise<void> {
  const live = LIVE_TOOLS[name];
  if (!live) throw new Error(`one of ${Object.keys(LIVE_TOOLS).join(", ")}, not ${name}`);
  const workspace = makeWorkspace(STAND_IN);
  const tool = await openTool(name, workspace);
  const lines: object[] = [{ tool: name, version: tool.version, on: process.platform }];
  const turns: Turn[] = [];
  try {
    await withRig(async (rig) => {
      const session = new LiveSession(rig, live, tool.command, tool.model);
      const playable = tool.situations.filter((each) => fitsIn(live, each));
      const wanted = playable.filter((each) => names.length === 0 || names.includes(each.name));
      const least = names.length === 0 ? TURNS_MIN : wanted.length;
      for (let at = 0; at < Math.max(least, wanted.length); at++) {
        const turn = await session.turn(wanted[at % wanted.length]!);
        if (turn === null) continue;
        turns.push(turn);
        lines.push(turn);
        console.log(JSON.stringify(turn));
      }
      lines.push(summarize(turns, await session.besides()));
    });
  } finally {
    await tool.close();
    await workspace.dispose();
    mkdirSync(values.out, { recursive: true });
    writeFileSync(
      join(values.out, `${name}.jsonl`),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
  }
  console.log(JSON.stringify(lines.at(-1)));
}

function summarize(turns: readonly Turn[], besides: readonly RaisedPrompt[]): object {
  const sum = (of: (turn: Turn) => number): number => turns.reduce((all, turn) => all + of(turn), 0);
  return {
    turns: turns.length,
    asked: sum(({ asked }) => asked),
    raised: sum(({ raised }) => raised.length),
    // In no turn of the log: late, or while a situation did not come about.
    besides,
    missed: sum(({ missed }) => missed),
    invented: sum(({ invented }) => invented),
  };
}

await main(positionals);
process.exit();
