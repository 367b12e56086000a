/**
 * A bundle of adapters is installed only after its signature, its format, its versions and its own scenarios were checked, and at
 * one instant. What is refused changes nothing. The version before can be put back.
 */
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BUNDLE_BYTES_MAX } from "../../../src/bundles/bundle-file.js";
import { replaceState } from "../../../src/bundles/bundle-store.js";
import { generateSigningKey } from "../../../src/bundles/signing.js";
import {
  rollBack,
  updateAdapters,
  type UpdateOptions,
  type UpdateResult,
} from "../../../src/bundles/update.js";
import { findAdapterSources, listAdapterNames, loadAdapter } from "../../../src/plugins/adapters/adapters.js";
import { readInstalledState } from "../../../src/plugins/adapters/installed-bundles.js";
import { BundleRig, tinyAdapter, tinyScenarios } from "../../support/bundles/bundle-rig.js";

let rig: BundleRig;
beforeEach(() => void (rig = new BundleRig()));
afterEach(() => rig.close());

const OPTIONS = { dryRun: false, allowOlder: false, acceptStarts: false };

function update(from: string, options: Partial<UpdateOptions> = {}): Promise<UpdateResult> {
  return updateAdapters({ ...OPTIONS, ...options, from }, rig.paths, rig.shipped);
}

/** The rule's question in the adapter that a run would use. */
async function questionInUse(name = "tiny"): Promise<string | null | undefined> {
  return (await loadAdapter(name, rig.paths)).rules[0]?.question;
}

const version = (bundle: number, adapter: string, question = "Proceed", more = "") => ({
  version: bundle,
  adapters: [{ name: "tiny", text: tinyAdapter("tiny", adapter, question, more) }],
});
/** `Proceed|Go` finds the dialog of the scenarios as `Proceed` does. */
const SECOND = version(2, "1.1.0", "(?:Proceed|Go)");

describe("a signed bundle of adapters", () => {
  it("is installed: its adapter is used, and listed with where it comes from", async () => {
    const result = await update(rig.bundle());
    expect(result).toMatchObject({ outcome: "installed", bundle: "acme", version: 1, before: null });
    expect(result.signer).toEqual({ name: "acme", id: rig.key.id });
    expect(result.changes).toMatchObject([
      { name: "tiny", from: null, rules: { added: ["proceed"] }, starts: [] },
    ]);
    expect(listAdapterNames(rig.paths)).toContain("tiny");
    expect(findAdapterSources("tiny", rig.paths)).toMatchObject([
      { origin: { kind: "bundle", name: "acme", version: 1, signer: "acme" } },
    ]);
    expect(await questionInUse()).toContain("Proceed");
  });

  it("is replaced by a newer one, and says what changes", async () => {
    await update(rig.bundle());
    const { before, changes } = await update(rig.bundle(SECOND));
    expect(before).toEqual({ version: 1, signer: "acme" });
    expect(changes).toMatchObject([
      { from: { version: "1.0.0" }, to: { version: "1.1.0" }, rules: { changed: ["proceed"] }, parts: [] },
    ]);
    expect(await questionInUse()).toContain("Go");
  });

  it("changes nothing with dryRun, nor when it is installed already", async () => {
    expect(await update(rig.bundle(), { dryRun: true })).toMatchObject({ outcome: "checked" });
    expect(existsSync(rig.paths.bundlesDir)).toBe(false);
    await update(rig.bundle());
    expect(await update(rig.bundle())).toMatchObject({ outcome: "unchanged", changes: [] });
  });

  it("is installed again, by the very same bundle, where its files are not what was signed any more", async () => {
    await update(rig.bundle());
    const { folder } = readInstalledState(rig.paths.bundlesDir).bundles[0]!.active;
    const file = join(rig.paths.bundlesDir, folder, "adapters", "tiny.yaml");
    writeFileSync(file, tinyAdapter("tiny", "1.0.0", "Mine"));
    expect(await questionInUse()).toContain("Mine");
    expect(await update(rig.bundle())).toMatchObject({ outcome: "installed", bundle: "acme" });
    expect(await questionInUse()).toContain("Proceed");
    expect(await update(rig.bundle())).toMatchObject({ outcome: "unchanged" });
  });

  it("says of the version that it goes back to what is wrong with that", async () => {
    await update(rig.bundle());
    await update(rig.bundle(SECOND));
    rig.trust([]);
    expect(rollBack(null, rig.paths, rig.shipped)).toMatchObject({
      to: 1,
      problem: expect.stringContaining("is not trusted here") as string,
    });
  });

  it("is taken back: to the version before, then to none", async () => {
    await update(rig.bundle());
    await update(rig.bundle(SECOND));
    expect(rollBack(null, rig.paths)).toEqual({
      bundle: "acme",
      from: 2,
      to: 1,
      gone: [],
      isUsable: true,
      problem: null,
    });
    expect(await questionInUse()).not.toContain("Go");
    const gone = [{ name: "tiny", instead: null }];
    expect(rollBack("acme", rig.paths)).toMatchObject({ from: 1, to: null, gone });
    expect(listAdapterNames(rig.paths)).not.toContain("tiny");
    expect(() => rollBack(null, rig.paths)).toThrow("no bundle is installed");
    await update(rig.bundle(SECOND));
    expect(await questionInUse()).toContain("Go");
  });

  it("leaves an adapter that is in memory as it was: a running session keeps its rules", async () => {
    await update(rig.bundle());
    const loaded = await loadAdapter("tiny", rig.paths);
    const before = JSON.stringify(loaded);
    await update(rig.bundle(SECOND));
    rollBack(null, rig.paths);
    rollBack(null, rig.paths);
    expect(JSON.stringify(loaded)).toBe(before);
  });

  it("gives way to the user's own file, and says so", async () => {
    const own = join(rig.paths.adaptersDir, "tiny.yaml");
    writeFileSync(own, tinyAdapter("tiny", "0.9.0", "Mine"));
    expect((await update(rig.bundle())).changes).toMatchObject([{ hiddenBy: own }]);
    expect(await questionInUse()).toContain("Mine");
    expect(findAdapterSources("tiny", rig.paths).map(({ origin }) => origin.kind)).toEqual(["own", "bundle"]);
    expect(rollBack(null, rig.paths).gone).toEqual([{ name: "tiny", instead: { kind: "own" } }]);
  });

  it("may be signed by the key that goes and by the one that comes", async () => {
    const next = generateSigningKey();
    const both = rig.write(rig.sign(rig.payload(), [rig.key, next]));
    rig.trust([{ name: "acme-2", key: next }]);
    expect((await update(both)).signer).toEqual({ name: "acme-2", id: next.id });
  });

  it("counts by a key of the package, unless that is revoked", async () => {
    rig.trust([]);
    rig.ship(`keys: [{ name: project, key: "${rig.key.publicText}" }]\nrevoked: []\n`);
    expect((await update(rig.bundle())).signer.name).toBe("project");
    rig.trust([{ name: "acme", key: rig.key }]);
    rig.ship(`keys: []\nrevoked: ["${rig.key.id}"]\n`);
    await expect(update(rig.bundle(SECOND))).rejects.toThrow("is not trusted here");
  });

  it("keeps files of five earlier versions, and of no more", async () => {
    for (let n = 1; n <= 8; n += 1) await update(rig.bundle(version(n, `1.${n}.0`)));
    const folders = readdirSync(rig.paths.bundlesDir).filter((name) => name.startsWith("acme-"));
    expect(folders.map((name) => name.split("-")[1]).sort()).toEqual(["3", "4", "5", "6", "7", "8"]);
  });

  it("is not installed while another command changes what is installed", async () => {
    await update(rig.bundle());
    const seen = readInstalledState(rig.paths.bundlesDir);
    rollBack(null, rig.paths);
    expect(() => replaceState(rig.paths.bundlesDir, seen, seen)).toThrow("another command is changing");
    writeFileSync(join(rig.paths.bundlesDir, "installed.json.new"), "");
    await expect(update(rig.bundle())).rejects.toThrow("another command is changing");
  });
});

/** Bundles that are refused, each with the beginning of the reason. */
const REFUSED: readonly (readonly [string, () => string, code: string, reason: string])[] = [
  [
    "was changed after it was signed",
    () => rig.write(changed("Yes", "Yse")),
    "UNTRUSTED",
    "was changed after it",
  ],
  [
    "has a signature of somebody unknown",
    () => signedBy(generateSigningKey()),
    "UNTRUSTED",
    "is not trusted here",
  ],
  ["claims a trusted key", () => rig.write(claimed()), "UNTRUSTED", "does not fit"],
  ["has no signature", () => rig.write(unsigned()), "INVALID", "signature"],
  ["is no JSON", () => rig.write("PK\u0003\u0004"), "INVALID", "is not JSON"],
  ["is no text", () => rig.write(Buffer.from([0x1f, 0x8b, 0xff])), "INVALID", "is not UTF-8"],
  ["is huge", huge, "INVALID", "a bundle has at most"],
  [
    "is of another format",
    () => rig.write('{"atlasbridge_adapter_bundle":2}'),
    "INVALID",
    "atlasbridge_adapter",
  ],
  ["holds an unknown key", () => rig.bundle({ scenario: [] }), "INVALID", 'did you mean "scenarios"'],
  ["holds code", () => rig.bundle({ scripts: { install: "id" } }), "INVALID", 'unknown key "scripts"'],
  ["has an adapter above its folder", () => rig.bundle(named("../tiny")), "INVALID", "expected a name"],
  ["has an adapter at the root", () => rig.bundle(named("/etc/tiny")), "INVALID", "expected a name"],
  ["has an adapter of another name", () => rig.bundle(named("other")), "INVALID", 'its name is "tiny"'],
  ["has one adapter twice", () => rig.bundle(twice()), "INVALID", "each adapter once"],
  ["has an adapter with a mistake", () => rig.bundle(broken()), "INVALID", "rulse"],
  ["has no scenario", () => rig.bundle({ scenarios: [] }), "INVALID", "no scenario shows"],
  [
    "has no silent scenario",
    () => rig.bundle({ scenarios: tinyScenarios("tiny").slice(0, 1) }),
    "INVALID",
    "silent",
  ],
  ["has a failing scenario", () => rig.bundle(failing()), "INVALID", "1 of 2 scenarios fail: tiny_proceed"],
  [
    "has a scenario for another tool",
    () => rig.bundle({ scenarios: tinyScenarios("claude") }),
    "INVALID",
    "no adapter of",
  ],
  ["has one scenario twice", () => rig.bundle({ scenarios: doubled() }), "INVALID", "same scenario_id"],
  [
    "reads a file of the machine",
    () => rig.bundle({ scenarios: [reading()] }),
    "INVALID",
    "names a recording_file",
  ],
  [
    "is for later programs",
    () => rig.bundle(program("98.0.0", "99.0.0")),
    "UNFIT",
    "is for AtlasBridge 98.0.0",
  ],
  ["is for earlier programs", () => rig.bundle(program("0.0.1", "0.0.2")), "UNFIT", "before 0.0.2"],
  [
    "is not newer than the package's",
    () => rig.bundle(shippedToo()),
    "UNFIT",
    "not newer than the package's own",
  ],
  [
    "starts a tool otherwise",
    () => rig.bundle(starting()),
    "UNFIT",
    "changes how tools are started: tiny (process)",
  ],
];

function changed(from: string, to: string): string {
  return rig.sign(rig.payload()).replaceAll(from, to);
}
const signedBy = (key = rig.key): string => rig.write(rig.sign(rig.payload(), [key]));
function claimed(): string {
  const other = generateSigningKey();
  return rig.sign(rig.payload(), [other]).replaceAll(other.id, rig.key.id);
}
const unsigned = (): string =>
  JSON.stringify({ atlasbridge_adapter_bundle: 1, payload: rig.payload(), signatures: [] });
function huge(): string {
  const file = rig.bundle();
  truncateSync(file, BUNDLE_BYTES_MAX + 1);
  return file;
}
const named = (name: string) => ({ adapters: [{ name, text: tinyAdapter("tiny", "1.0.0") }] });
const twice = () => ({ adapters: [...version(1, "1.0.0").adapters, ...version(1, "1.0.0").adapters] });
const broken = () => ({ adapters: [{ name: "tiny", text: `${tinyAdapter("tiny", "1.0.0")}rulse: []\n` }] });
const failing = () => version(1, "1.0.0", "Never");
const doubled = (): string[] => [...tinyScenarios("tiny"), ...tinyScenarios("tiny")];
const reading = (): string =>
  JSON.stringify({ tool: "tiny", scenario_id: "tiny_x", recording_file: "/etc/passwd", expected_type: null });
const program = (from: string, before: string) => ({ program: { from, before } });
const shippedToo = () => ({
  adapters: [{ name: "aider", text: tinyAdapter("aider", "1.0.0") }],
  scenarios: tinyScenarios("aider"),
});
const starting = () => ({
  adapters: [
    {
      name: "tiny",
      text: tinyAdapter("tiny", "1.0.0").replace("executable: tiny", "env: { NODE_OPTIONS: x }"),
    },
  ],
});

describe("a bundle that is refused", () => {
  it.each(REFUSED)("%s: nothing is installed", async (_, make, code, reason) => {
    const refused = expect(update(make())).rejects;
    await refused.toMatchObject({
      code: `ATB_BUNDLE_${code}`,
      message: expect.stringContaining(reason) as string,
    });
    expect(existsSync(rig.paths.bundlesDir)).toBe(false);
  });

  it.each(REFUSED)("%s: what was installed stays, byte for byte", async (_, make) => {
    await update(rig.bundle({ name: "first", ...other("first") }));
    const state = readFileSync(join(rig.paths.bundlesDir, "installed.json"), "utf8");
    await expect(update(make())).rejects.toThrow();
    expect(readFileSync(join(rig.paths.bundlesDir, "installed.json"), "utf8")).toBe(state);
    expect(readdirSync(rig.paths.bundlesDir)).toHaveLength(2);
  });

  const other = (tool: string) => ({
    adapters: [{ name: tool, text: tinyAdapter(tool, "1.0.0") }],
    scenarios: tinyScenarios(tool),
  });

  it("is older than the installed one, unless that is wanted", async () => {
    await update(rig.bundle(SECOND));
    await expect(update(rig.bundle())).rejects.toThrow("is older than the installed version 2");
    expect(await update(rig.bundle(), { allowOlder: true })).toMatchObject({
      outcome: "installed",
      version: 1,
    });
  });

  it("has the version of the installed one and other contents", async () => {
    await update(rig.bundle());
    await expect(update(rig.bundle(version(1, "1.0.1")))).rejects.toThrow("already, with other contents");
  });

  it("has an adapter that another bundle has", async () => {
    await update(rig.bundle());
    await expect(update(rig.bundle({ name: "other" }))).rejects.toThrow("comes from the bundle acme already");
  });

  it("starts a tool otherwise, unless that is agreed to", async () => {
    expect(await update(rig.bundle(starting()), { acceptStarts: true })).toMatchObject({
      outcome: "installed",
    });
  });

  it("does not exist, or is a folder", async () => {
    await expect(update(join(rig.folder, "none.json"))).rejects.toThrow("does not exist");
    await expect(update(rig.folder)).rejects.toThrow("is not a regular file");
  });
});
