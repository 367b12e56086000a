/** A recorded exchange, played back: its agent's side by `plays-exchange.mjs`, ours by the real runtime. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadAdapter, getPackagePlace } from "../../../src/plugins/adapters/adapters.js";
import { openTool } from "../acp-agent.js";
import { headlessAdapter } from "../headless-agent.js";
import { readSession } from "../spoken-session.js";
import { conduct, type Conducted, type Outcome } from "./conduct.js";
import { readExchange, type LineExchange } from "./line-exchange.js";
import { notesIn } from "./tap.js";

const PLAYER = resolve("tests/fixtures/agents/plays-exchange.mjs");

export interface Played {
  /** What became of it; why it did not go on, where it did not. */
  readonly outcome: Outcome | string;
  /** "played" when all has passed; before that, what differed. */
  readonly noted: readonly unknown[];
}

export async function play(place: string): Promise<Played> {
  const exchange = readExchange(place);
  const folder = mkdtempSync(join(tmpdir(), "played-"));
  const log = join(folder, "noted");
  const session = await started(exchange, folder, [PLAYER, resolve(place), folder, log]);
  try {
    const outcome = await conduct(session, exchange).catch(String);
    await session.dispose();
    return {
      outcome: JSON.parse(JSON.stringify(outcome).replaceAll(folder, "/srv/proj")) as Outcome | string,
      noted: notesIn(log),
    };
  } finally {
    await session.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function started(
  { adapter: name, runtime }: LineExchange,
  cwd: string,
  args: readonly string[],
): Promise<Conducted> {
  const adapter = await loadAdapter(name, getPackagePlace());
  if (runtime === "acp")
    return openTool(
      { file: process.execPath, args, cwd, env: {} },
      adapter.acp ? { asking: adapter.acp.asking, requests: adapter.code?.agentRequests ?? {} } : {},
    );
  const made = headlessAdapter(adapter, cwd, {});
  await made.adapter.startSession([process.execPath, ...args]);
  return { ...made, ...readSession(made) };
}
