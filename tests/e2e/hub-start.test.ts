/**
 * A hub starts in different surroundings and loads only its own code. It does not start from inside a session, and the attempt is
 * on record.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually, HubHome } from "../support/hub-home.js";
import { notLinux, skipped } from "../support/skipped.js";

async function withHome(work: (home: HubHome) => Promise<void>): Promise<void> {
  const home = new HubHome();
  try {
    await work(home);
  } finally {
    await home.close();
  }
}

/** Code that notes in which processes it is loaded. */
function plantCode(home: HubHome): () => string {
  const [code, log] = [join(home.folder, "planted.cjs"), join(home.folder, "planted.log")];
  writeFileSync(log, "");
  writeFileSync(
    code,
    `require("node:fs").appendFileSync(${JSON.stringify(log)}, process.pid + " " + process.argv.slice(2).join(" ") + "\\n");`,
  );
  Object.assign(home.env, { NODE_OPTIONS: `--require ${code}` });
  return () => readFileSync(log, "utf8");
}

it.each([
  ["by a command", ["hub", "start"]],
  ["in the foreground", ["hub", "start", "--foreground"]],
])("a hub that is started %s loads only its own code", (_, command) =>
  withHome(async (home) => {
    const loaded = plantCode(home);
    home.start(...command);
    const pid = await eventually(() => home.hubPid());
    expect(loaded()).toContain(command.join(" "));
    expect(loaded().split("\n")).not.toContain(`${pid} hub start --foreground`);
  }),
);

it("a hub cannot be started from inside a session, and the attempt is on record", () =>
  withHome(async (home) => {
    Object.assign(home.env, { ATLASBRIDGE_SESSION: "some-session" });
    for (const command of [
      ["hub", "start"],
      ["hub", "start", "--foreground"],
    ]) {
      const { code, stderr } = await home.run(...command);
      expect(stderr).toContain("a hub cannot be started from inside a session (ATB_SUPERVISED)");
      expect(code).toBe(6);
    }
    expect(await home.hubPid()).toBeNull();
    const lines = readFileSync(home.paths.hubLog, "utf8").trim().split("\n");
    expect(
      lines.filter((line) => line.includes("refused to start a hub from inside a session")),
    ).toHaveLength(2);
  }));

it.skipIf(skipped(notLinux))(
  "a command with a wrong address finds the hub, and the address is corrected",
  () =>
    withHome(async (home) => {
      await home.run("hub", "start");
      const address = readFileSync(home.paths.hubAddress, "utf8");
      writeFileSync(home.paths.hubAddress, `${join(home.folder, "elsewhere.sock")}\n`);
      expect((await home.run("status")).code).toBe(0);
      await eventually(() => readFileSync(home.paths.hubAddress, "utf8") === address);
    }),
);
