/** From a tool's question to the request that puts it on a phone: told by a hook or a protocol, and read from the screen. */
import { tmpdir } from "node:os";
import { resolvePaths } from "../src/config/paths.js";
import { trustAddresses } from "../tests/support/trust.js";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startTelegram, type TelegramEmulator } from "../tests/support/telegram/emulator.js";
import { median, quantile, type Report, short } from "./figures.js";
import {
  drawnAgent,
  joinedTool,
  mcpTool,
  plainProgram,
  spokenAgent,
  taskAgent,
  type Asker,
  type AskerEnvironment,
} from "./askers.js";
import { hub } from "./peers.js";

/** All ways take seven minutes. An agent that asks over MCP may ask twice as often, and no more (`QUESTIONS_MAX`). */
const ROUNDS = 15;
/** A chat takes a message every three seconds for as long as one likes: nothing here waits for its turn. */
const GAP_MS = 3_300;
const CARD_WITHIN_MS = 30_000;
const ARA = 1001;
const ASKS = fileURLToPath(new URL("peers/asks.mjs", import.meta.url));

interface Way {
  readonly name: string;
  /** ms at the 95th percentile. */
  readonly bar: number;
  readonly start: (env: AskerEnvironment, agent: string) => Promise<Asker>;
}

const WAYS: readonly Way[] = [
  { name: "told by a hook", bar: 50, start: (env, agent) => drawnAgent(agent, [], env) },
  { name: "told by a server that is joined", bar: 50, start: (env) => joinedTool(env) },
  { name: "asked by `exec`'s agent in lines of JSON", bar: 50, start: (env) => taskAgent(env) },
  { name: "asked in the Agent Client Protocol", bar: 50, start: (env) => spokenAgent(env) },
  { name: "asked by a tool itself (MCP)", bar: 50, start: (env) => mcpTool(env) },
  { name: "read from the screen", bar: 250, start: (env, agent) => drawnAgent(agent, ["--no-hooks"], env) },
  { name: "read from a line of a plain program", bar: 250, start: (env) => plainProgram(env) },
];

export async function asking(env: Readonly<Record<string, string>>): Promise<readonly Report[]> {
  const telegram = await startTelegram();
  const home = join(env["ATLASBRIDGE_HOME"] ?? "", "asking");
  const own = { ...env, ATLASBRIDGE_HOME: home };
  prepare(home, telegram);
  const uid = process.getuid?.() ?? 0;
  await trustAddresses(resolvePaths({ env: own, userHome: null, tmpDir: tmpdir(), uid }));
  hub("start", own);
  try {
    const rows: string[][] = [];
    for (const { name, bar, start } of WAYS) {
      const times = await measure(telegram, await start(own, join(home, "claude")));
      rows.push([
        name,
        short(median(times)),
        short(quantile(times, 0.95)),
        short(Math.max(...times)),
        String(bar),
      ]);
    }
    const text = `From just before the question to the chat service's request, with hub, database and redaction between them; ${ROUNDS} questions each. A question on a screen has to stand still for 100 ms first, one on a line until the kernel says that the program reads.`;
    return [
      {
        title: "A question on its way to the phone",
        text,
        columns: ["", "median ms", "p95 ms", "max ms", "bar (p95)"],
        rows,
      },
    ];
  } finally {
    hub("stop", own);
    await telegram.stop();
  }
}

function prepare(home: string, { token, apiRoot }: TelegramEmulator): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const config = [
    `people: [{ name: Ara, identities: [telegram:${ARA}], role: approver }]`,
    `channels: { telegram: { token: "file:token", api_root: ${apiRoot}, deliver_to: [${ARA}] } }`,
  ];
  writeFileSync(join(home, "token"), token, { mode: 0o600 });
  writeFileSync(join(home, "config.yaml"), config.join("\n"), { mode: 0o600 });
  writeFileSync(join(home, "claude"), `#!/bin/sh\nexec '${process.execPath}' '${ASKS}' "$@"\n`);
  chmodSync(join(home, "claude"), 0o700);
}

async function measure(telegram: TelegramEmulator, asker: Asker): Promise<number[]> {
  telegram.user(ARA, "Ara");
  await pause(GAP_MS); // The hub is joined: this measures questions, not the start.
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const seen = telegram.requests.length;
    asker.ask();
    times.push(await telegram.waitFor(() => measureAge(telegram, seen), "a card", CARD_WITHIN_MS));
    await asker.settle();
    await pause(GAP_MS);
  }
  await asker.close();
  return times;
}

/** ms between the instant that the first card since then names and its request; null until it came. */
function measureAge(telegram: TelegramEmulator, since: number): number | null {
  for (const { method, payload, at } of telegram.requests.slice(since)) {
    const [, asked] = /probe-([0-9]{1,20})/.exec(JSON.stringify(payload)) ?? [];
    if (method.toLowerCase() === "sendmessage" && asked !== undefined)
      return at + clockOffset() - Number(asked) / 1000;
  }
  return null;
}

/** From this process's clock to the one that all processes share, in ms. */
function clockOffset(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();
}
