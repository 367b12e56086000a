/** An agent may start what is listed for its folder, under exactly the listed name. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findAllowedStart } from "../../../src/config/agent-starts.js";
import { makeFileFolder } from "../../support/temporary-folder.js";

const root = makeFileFolder("agent-starts");
const [work, other] = ["work", "work-other"].map((name) => join(root, name)) as [string, string];
for (const folder of [join(work, "deep"), other]) mkdirSync(folder, { recursive: true });
symlinkSync(work, join(root, "to-work"));
symlinkSync(other, join(work, "to-other"));

const isAllowed = (program: string, folder: string, paths = [work]): boolean =>
  findAllowedStart([{ programs: ["bash", "/opt/py/bin/python3"], paths, ask: true }], program, folder) !==
  null;

describe("an agent's program", () => {
  it.each([
    ["bash", true],
    ["/opt/py/bin/python3", true],
    ["/bin/bash", false],
    ["./bash", false],
    ["python3", false],
    ["/opt/py/bin/../bin/python3", false],
    ["", false],
  ])("is compared as it stands: %s", (program, allowed) => {
    expect(isAllowed(program, work)).toBe(allowed);
  });

  it.each([
    ["in the folder", work, [work], true],
    ["below it", join(work, "deep"), [work], true],
    ["in the folder behind a link", work, [join(root, "to-work")], true],
    ["everywhere", other, ["/"], true],
    ["beside it, with a name that begins alike", other, [work], false],
    ["behind a link that leads out of it", join(work, "to-other"), [work], false],
    ["in a folder that is not there", join(work, "gone"), [work], false],
    ["in a folder that is not known", "", ["/"], false],
    ["in a listed folder that is not there", work, [join(root, "gone")], false],
  ])("%s", (_, folder, paths, allowed) => {
    expect(isAllowed("bash", folder, paths)).toBe(allowed);
  });

  it("follows the first entry that lists it there", () => {
    const entries = [
      { programs: ["bash"], paths: [join(work, "deep")], ask: false },
      { programs: ["bash"], paths: [work], ask: true },
    ];
    expect(findAllowedStart(entries, "bash", join(work, "deep"))?.ask).toBe(false);
    expect(findAllowedStart(entries, "bash", work)?.ask).toBe(true);
  });
});
