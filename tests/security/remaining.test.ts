/**
 * A program of the same user still has these ways to answer for a tool that is not isolated (docs/explanation/threat-model.md),
 * each with what stops it. A change that closes one of them must say so there.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../src/wire/messages.js";
import { eventually, HubHome, MAIN } from "../support/hub-home.js";
import { TEST_HANG_MS } from "../support/hang-guards.js";
import { notLinux, skipped } from "../support/skipped.js";
import { triesIn, type Try } from "./support/attacks/tries.js";

const SUPPORT = join(import.meta.dirname, "support/attacks");
const LOCAL_VIEWER =
  'people:\n  - name: "At this machine"\n    identities: ["cli:local"]\n    role: viewer\n';

const noTmux: string | null = spawnSync("tmux", ["-V"]).status === 0 ? null : "there is no tmux";

/** Why nothing can be isolated here; null where it can. */
function noIsolation(): string | null {
  const { stdout } = spawnSync(process.execPath, [MAIN, "run", "--help"], { encoding: "utf8" });
  if (!stdout.includes("--isolate")) return "this program cannot isolate a tool";
  const tried = spawnSync(process.execPath, [MAIN, "run", "--no-relay", "--isolate", "--quiet", "true"], {
    env: { ...process.env, ATLASBRIDGE_SESSION: "", ATLASBRIDGE_HOME: mkdtempSync(join(tmpdir(), "atb-")) },
  });
  return tried.status === 0 ? null : "this system cannot isolate a tool";
}

describe.skipIf(skipped(notLinux))("a program that a tool started", () => {
  let home: HubHome;
  /** Where the attack keeps its files, apart from ours. */
  let folder: string;
  const servers: string[] = [];
  beforeEach(() => {
    home = new HubHome();
    folder = mkdtempSync(join(tmpdir(), "atb-attack-"));
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) spawnSync("tmux", ["-S", server, "kill-server"]);
    await home.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts two sessions that ask; one of them tries this, or is shut out from the hub. */
  async function attack(name: string, flags: readonly string[] = []): Promise<Try> {
    const [log, context] = [join(folder, "log"), join(folder, "context")];
    const { socket } = home.paths;
    const attacks = [{ name, launch: "orphan" }];
    const told = {
      socket,
      log,
      main: MAIN,
      protocol: PROTOCOL_VERSION,
      label: "attacker",
      victim: "victim",
      attacks,
    };
    writeFileSync(context, JSON.stringify(told));
    const ask = "printf 'Go on? [y/N] '; read line";
    const victim = home.start("run", "--label", "victim", "sh", "-c", ask);
    const tool = [process.execPath, join(SUPPORT, "tool.mjs"), context];
    const run = home.start("run", "--label", "attacker", ...flags, ...tool);
    const started = [victim, run];
    const closed = started.map(
      (each) => new Promise<null>((resolve) => each.once("close", () => resolve(null))),
    );
    const isOutcome = (line: Try): boolean => line.name === name || line.name === "shut out";
    const found = await eventually(() => triesIn(log).find(isOutcome) ?? false, TEST_HANG_MS);
    for (const each of started) each.kill("SIGTERM");
    await Promise.all(closed);
    expect(found.hung, found.said).not.toBe(true);
    return found;
  }

  const server = (): void => {
    const path = join(folder, "log.tmux.sock");
    servers.push(path);
    execFileSync("tmux", ["-S", path, "-f", "/dev/null", "new-session", "-d", "sleep 600"], {
      env: home.env,
    });
  };

  it.skipIf(skipped(noTmux))("can have a program that ran before answer for it", async () => {
    server();
    expect(await attack("has a program that ran before answer")).toMatchObject({ approved: true });
  });

  it.skipIf(skipped(noTmux))(
    "cannot have a prompt answered at this machine where only phones may answer",
    async () => {
      server();
      writeFileSync(home.paths.config, LOCAL_VIEWER, { mode: 0o600 });
      expect(await attack("has a program that ran before answer")).toMatchObject({ approved: false });
    },
  );

  const PLAYS_HUB = "kills the hub and plays it to another session";

  it(PLAYS_HUB, async () => expect(await attack(PLAYS_HUB)).toMatchObject({ approved: true }), TEST_HANG_MS);

  it(
    "cannot answer another session after it has killed its worker",
    async () =>
      expect(await attack("kills its worker and answers another session")).toMatchObject({
        approved: false,
        rejection: "supervised",
      }),
    TEST_HANG_MS,
  );

  it.skipIf(skipped(noIsolation()))(
    `that is isolated fails: ${PLAYS_HUB}`,
    async () => expect(await attack(PLAYS_HUB, ["--isolate"])).toMatchObject({ approved: false }),
    TEST_HANG_MS,
  );
});
