/** Daemons that a session leaves behind when it ends, and that answer what the next session asks. */
import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import type { ListedPrompt, ListedSession } from "../../src/wire/listings.js";
import { eventually, type HubHome } from "./hub-home.js";

const FIXTURES = join(import.meta.dirname, "../fixtures/agents");
const AT_ONCE = 5;

interface Outcome {
  readonly number: number;
  readonly claimed: boolean;
  readonly code: string;
  readonly paired: string;
}

/** The first session ends by itself or is killed. Then the daemons answer the second one, and last a person does. */
export async function expectLeftBehindRefused(
  home: HubHome,
  count: number,
  end: "by itself" | "killed",
): Promise<void> {
  const { folder, paths } = home;
  const log = join(folder, "outcomes");
  const numbers = Array.from({ length: count }, (_, number) => number);
  const command = [process.execPath, join(FIXTURES, "answers-another.mjs"), paths.socket, log, "next"];
  const tool = ["sh", join(FIXTURES, "leaves-daemons.sh"), folder, String(count), ...command];
  const first = home.start("run", "--label", "first", ...tool);
  const ended = new Promise((resolve) => first.once("exit", resolve));
  try {
    await eventually(() => numbers.every((number) => existsSync(join(folder, `pid.${number}`))));
    if (end === "killed") first.kill("SIGKILL");
    else await eventually(() => sendWord(join(folder, "fifo.end")));
    await ended;

    const next = home.start("run", "--label", "next", "sh", "-c", "printf 'Go on? [y/N] '; read line");
    const answered = new Promise((resolve) => next.once("exit", resolve));
    const { shortId } = await eventually(() => findPrompt(home, "next"));
    for (let told = 0; told < count; told += AT_ONCE) {
      const batch = numbers.slice(told, told + AT_ONCE);
      await Promise.all(batch.map((number) => eventually(() => sendWord(join(folder, `fifo.${number}`)))));
      await eventually(() => readOutcomes(log).length === told + batch.length);
    }
    const refused = { claimed: false, code: "supervised", paired: "ATB_HUB_REFUSED" };
    const outcomes = readOutcomes(log).sort((one, other) => one.number - other.number);
    expect(outcomes).toEqual(numbers.map((number) => ({ number, ...refused })));
    expect(countRefusedAnswers(home)).toBe(count);

    await home.data("answer", shortId, "n");
    await answered;
  } finally {
    for (const number of numbers) endDaemon(join(folder, `pid.${number}`));
  }
}

/** False while nobody reads there. */
function sendWord(fifo: string): boolean {
  try {
    const fd = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    writeSync(fd, "go\n");
    closeSync(fd);
    return true;
  } catch {
    return false;
  }
}

/** The next hub may not serve yet. */
async function findPrompt(home: HubHome, label: string): Promise<ListedPrompt | null> {
  const sessions = await home.data<ListedSession[]>("sessions").catch(() => []);
  const session = sessions.find((each) => each.label === label);
  const prompts = session ? await home.data<ListedPrompt[]>("prompts").catch(() => []) : [];
  return prompts.find(({ sessionId }) => sessionId === session?.sessionId) ?? null;
}

function readOutcomes(log: string): Outcome[] {
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  // The last line may be in the making.
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Outcome);
}

function countRefusedAnswers({ paths }: HubHome): number {
  const database = new Database(paths.database, { readonly: true });
  try {
    const rows = database.prepare("SELECT details FROM audit WHERE step = 'answer_rejected'").pluck().all();
    return rows.filter((details) => (JSON.parse(String(details)) as Outcome).code === "supervised").length;
  } finally {
    database.close();
  }
}

function endDaemon(pidFile: string): void {
  try {
    process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
  } catch {
    // It has ended, or never began.
  }
}
