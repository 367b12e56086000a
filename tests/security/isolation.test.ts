/**
 * Under `--isolate` none of forty ways leads a tool to the ledger, the configuration, tokens or keys. Without isolation most of
 * them are open.
 */
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { readLandlockAbi, SIGNALS_ABI } from "../../src/worker/process/landlock.js";
import { eventually, finished, HubHome } from "../support/hub-home.js";
import { noOtherUser } from "../support/other-user.js";
import { notLinux, skipped } from "../support/skipped.js";

const REACH = join(import.meta.dirname, "support/reach.mjs");
const PACKAGE = join(import.meta.dirname, "../..");
/** An ordinary user without an account, to whom root owes nothing. */
const ORDINARY_UID = 12_345;
const WAYS_LEAST = 40;

const noLandlock: string | null =
  notLinux ??
  (readLandlockAbi() < SIGNALS_ABI
    ? `this kernel has version ${readLandlockAbi()} of Landlock, not ${SIGNALS_ABI}`
    : null);

interface Reached {
  readonly uid: number;
  readonly tried: number;
  readonly open: readonly string[];
  readonly broken: readonly string[];
}

/** Runs the prober as the tool, beside a hub that serves. */
async function reach(uid: number | null, flags: readonly string[]): Promise<Reached> {
  const home = new HubHome({ inside: "home", ...(uid === null ? {} : { uid }) });
  try {
    const root = dirname(home.folder);
    const [work, secrets] = [join(root, "work"), join(root, "secrets")];
    const captured = join(home.folder, "captured_scenarios", "one");
    for (const folder of [home.folder, work, secrets, dirname(captured), captured]) {
      mkdirSync(folder, { mode: 0o700 });
      if (uid !== null) chownSync(folder, uid, uid);
    }
    const put = (file: string, text: string): void => {
      writeFileSync(file, text, { mode: 0o600 });
      if (uid !== null) chownSync(file, uid, uid);
    };
    put(join(captured, "screen.txt"), "captured\n");
    const token = join(secrets, "token");
    put(token, "1001:secret\n");
    await home.run("hub", "start");
    const hub = await eventually(() => readHubPid(home));
    // After the hub has read it: this hub needs no channel.
    put(home.paths.config, `channels:\n  telegram:\n    token: file:${token}\n    deliver_to: []\n`);
    const log = join(work, "reached.json");
    const worker = join(work, "worker.pid");
    const places = [log, home.paths.dataDir, home.paths.configDir, token, String(hub), worker, PACKAGE];
    const run = home.start("run", ...flags, "--quiet", "--cwd", work, process.execPath, REACH, ...places);
    put(worker, String(run.pid));
    const { code, stdout, stderr } = await finished(run);
    if (!existsSync(log)) throw new Error(`the prober did not end (${code}): ${stdout}${stderr}`);
    return JSON.parse(readFileSync(log, "utf8")) as Reached;
  } finally {
    await home.close();
  }
}

/** `status` is asked as the home's user: a hub may not let another one in. */
async function readHubPid(home: HubHome): Promise<number | null> {
  const { stdout } = await home.run("status", "--json");
  const { data } = JSON.parse(stdout) as { data?: { hub?: { pid?: number } | null; pid?: number } };
  return data?.hub?.pid ?? data?.pid ?? null;
}

const USERS = [
  ["whoever runs this", null],
  ["an ordinary user", ORDINARY_UID],
] as const;

it.skipIf(skipped(noLandlock)).each(USERS.filter(([, uid]) => uid === null || !skipped(noOtherUser())))(
  "an isolated tool of %s finds no way to what is closed, and works as before",
  async (who, uid) => {
    const reached = await reach(uid, ["--isolate"]);
    console.log(`isolation, ${who} (uid ${reached.uid}): ${reached.tried} ways, ${reached.open.length} open`);
    expect(reached.tried).toBeGreaterThanOrEqual(WAYS_LEAST);
    expect(reached.open).toEqual([]);
    expect(reached.broken).toEqual([]);
  },
);

it.skipIf(skipped(noLandlock))("the same prober finds most ways open without isolation", async () => {
  const reached = await reach(null, []);
  console.log(`without isolation: ${reached.tried} ways, ${reached.open.length} open`);
  expect(reached.open.length).toBeGreaterThan(reached.tried / 2);
});
