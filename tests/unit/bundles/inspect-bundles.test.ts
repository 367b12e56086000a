/** An installed bundle that was changed on disk, whose key is no longer trusted, or that is for other programs, is named by `doctor`. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inspectBundles } from "../../../src/bundles/read-bundle.js";
import { updateAdapters } from "../../../src/bundles/update.js";
import { findAdapterSources, listAdapterNames } from "../../../src/plugins/adapters/adapters.js";
import { getStateFile, readInstalledState } from "../../../src/plugins/adapters/installed-bundles.js";
import { BundleRig, tinyAdapter, tinyScenarios } from "../../support/bundles/bundle-rig.js";

let rig: BundleRig;
const AIDER = {
  adapters: [{ name: "aider", text: tinyAdapter("aider", "9.0.0") }],
  scenarios: tinyScenarios("aider"),
};
beforeEach(async () => {
  rig = new BundleRig();
  const options = { dryRun: false, allowOlder: false, acceptStarts: true };
  await updateAdapters({ ...options, from: rig.bundle(AIDER) }, rig.paths, rig.shipped);
});
afterEach(() => rig.close());

const inspect = () => inspectBundles(rig.paths, rig.shipped)[0];

function editState(from: string, to: string): void {
  const file = getStateFile(rig.paths.bundlesDir);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(from, to));
}

function getInstalledFile(...path: string[]): string {
  const folder = readInstalledState(rig.paths.bundlesDir).bundles[0]?.active.folder ?? "";
  return join(rig.paths.bundlesDir, folder, ...path);
}

describe("an installed bundle", () => {
  it("is well, and its adapter is used instead of the package's", () => {
    expect(inspect()).toMatchObject({ name: "acme", isUsable: true, problem: null, adapters: ["aider"] });
    expect(findAdapterSources("aider", rig.paths).map(({ origin }) => origin.kind)).toEqual([
      "bundle",
      "package",
    ]);
  });

  it("whose adapter file was changed says so", () => {
    writeFileSync(getInstalledFile("adapters", "aider.yaml"), tinyAdapter("aider", "9.0.0", "Mine"));
    expect(inspect()?.problem).toContain("its file of aider was changed");
  });

  it("whose document was changed, or is gone, says so", () => {
    writeFileSync(getInstalledFile("bundle.json"), "{}");
    expect(inspect()?.problem).toContain("is not the one that was installed");
    rmSync(getInstalledFile("bundle.json"));
    expect(inspect()?.problem).toContain("is missing");
  });

  it("whose key is no longer trusted says so, and stays in use", () => {
    rig.trust([]);
    expect(inspect()?.problem).toContain("is not trusted here");
    expect(findAdapterSources("aider", rig.paths)[0]?.origin.kind).toBe("bundle");
  });

  it("that is for other versions of the program is not used", () => {
    editState("99.0.0", "0.0.1");
    expect(inspect()).toMatchObject({ isUsable: false });
    expect(findAdapterSources("aider", rig.paths)[0]?.origin.kind).toBe("package");
  });

  it("gives way to a package that brings a newer file", () => {
    editState("9.0.0", "0.9.0");
    expect(findAdapterSources("aider", rig.paths)[0]?.origin.kind).toBe("package");
  });

  it("whose state cannot be read is an error that says what to do", () => {
    writeFileSync(getStateFile(rig.paths.bundlesDir), "{");
    expect(() => listAdapterNames(rig.paths)).toThrow("installed.json cannot be read");
  });
});
