/**
 * Where a dialog is read otherwise than the tool's own hook says, that is counted and told by `doctor`; it is kept as a draft of a
 * scenario only where the configuration says so.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Diagnosis } from "../../src/doctor/check.js";
import { eventually } from "../support/hub-home.js";
import { withRig, type Rig } from "../support/rig/rig.js";
import { startTeller } from "../support/rig/teller.js";
import { writeOwnAdapter } from "../support/own-adapter.js";

/** The user's own adapter file does not know the No of a permission. */
function misread(rig: Rig): void {
  const shipped = readFileSync("adapters/qwen.yaml", "utf8");
  const own = shipped.replace(/(label: "\^No, ", intent: )reject_once.*?\}/, "$1other }");
  writeOwnAdapter(rig.home.paths, "qwen", own);
}

async function readingIn(rig: Rig): Promise<Diagnosis["checks"][number] | undefined> {
  const { stdout } = await rig.home.run("doctor", "--json");
  const { checks } = (JSON.parse(stdout) as { data: Diagnosis }).data;
  return checks.find(({ name }) => name === "reading:qwen");
}

const drafts = (rig: Rig): string[] => {
  const { capturedScenariosDir } = rig.home.paths;
  return existsSync(capturedScenariosDir)
    ? readdirSync(capturedScenariosDir).filter((name) => name.endsWith(".json"))
    : [];
};

describe.concurrent("a dialog beside the tool's own hook", () => {
  it("that is read as the hook says is counted, and nothing is kept", () =>
    withRig(async (rig) => {
      appendFileSync(rig.home.paths.config, "capture:\n  disagreements: true\n");
      await (await startTeller(rig, { words: "done" })).card();
      expect(await eventually(async () => (await readingIn(rig)) ?? null)).toMatchObject({
        state: "ok",
        found: "1 of 1 dialogs were read as the tool's own requests say",
      });
      expect(drafts(rig)).toEqual([]);
    }));

  it("that is read otherwise is kept where the configuration says so", () =>
    withRig(async (rig) => {
      misread(rig);
      appendFileSync(rig.home.paths.config, "capture:\n  disagreements: true\n");
      await (await startTeller(rig, { words: "done" })).card();
      const [draft = ""] = await eventually(() => (drafts(rig).length > 0 ? drafts(rig) : null));
      const kept = JSON.parse(
        readFileSync(join(rig.home.paths.capturedScenariosDir, draft), "utf8"),
      ) as object;
      expect(kept).toMatchObject({
        tool: "qwen",
        description: "The tool's own request says otherwise: choices; read by the rule permission",
      });
      expect(kept).not.toHaveProperty("expected_type");
      expect(await readingIn(rig)).toMatchObject({
        state: "warn",
        found: expect.stringMatching(/^0 of 1 dialogs .*; choices 1; the last on \d{4}-/) as string,
      });
    }));

  it("that is read otherwise is only counted where the configuration does not say so", () =>
    withRig(async (rig) => {
      misread(rig);
      await (await startTeller(rig, { words: "done" })).card();
      expect(await eventually(async () => (await readingIn(rig)) ?? null)).toMatchObject({ state: "warn" });
      expect(drafts(rig)).toEqual([]);
    }));
});
