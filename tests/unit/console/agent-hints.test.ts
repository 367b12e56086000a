/** What agents are told of a program comes from the package, or from a file that the user has agreed to. */
import { makeFileFolder } from "../../support/temporary-folder.js";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createAgentConsoles } from "../../../src/console/agent-consoles.js";
import { asId, type SessionId } from "../../../src/model/ids.js";
import { agreeTo } from "../../../src/plugins/adapters/agreed-files.js";

const folder = makeFileFolder("agent-hints");

const paths = {
  adaptersDir: join(folder, "adapters"),
  dataDir: join(folder, "data"),
  agreedAdapters: join(folder, "data", "agreed.json"),
};
const file = join(paths.adaptersDir, "programs", "gdb.yaml");
const sessionId = asId<SessionId>("s1");
const call = (): never => expect.unreachable();
const findHints = (): Promise<string | null> =>
  createAgentConsoles({ call, sessionId, cwd: "/", paths }).findHints("gdb");

it("gives no hints of a file of the user's own until it was agreed to, and none once it was changed", async () => {
  expect(await findHints()).toContain("exit codes:");
  mkdirSync(join(paths.adaptersDir, "programs"), { recursive: true });
  copyFileSync("adapters/programs/gdb.yaml", file);
  expect(await findHints()).toBeNull();
  const text = readFileSync(file, "utf8");
  agreeTo({ file, text }, paths);
  expect(await findHints()).toContain("exit codes:");
  writeFileSync(file, `${text}# changed\n`);
  expect(await findHints()).toBeNull();
});
