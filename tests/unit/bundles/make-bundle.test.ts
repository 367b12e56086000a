/** What `adapter bundle` makes can be installed, and nothing is signed that an installation would refuse. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeBundle, makeKey, type BundleOptions } from "../../../src/bundles/make-bundle.js";
import { parsePrivateKey } from "../../../src/bundles/signing.js";
import { updateAdapters } from "../../../src/bundles/update.js";
import { BundleRig, tinyAdapter, tinyScenarios } from "../../support/bundles/bundle-rig.js";

let rig: BundleRig;
beforeEach(() => {
  rig = new BundleRig();
  put("adapters/tiny.yaml", tinyAdapter("tiny", "1.0.0"));
  for (const [n, text] of tinyScenarios("tiny").entries()) put(`scenarios/tiny/${n}.json`, text);
  put("scenarios/other/0.json", tinyScenarios("other")[0] ?? "");
  makeKey(join(rig.folder, "key.pem"));
});
afterEach(() => rig.close());

function put(path: string, text: string): void {
  const file = join(rig.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function make(options: Partial<BundleOptions> = {}) {
  const defaults = {
    name: "acme",
    version: 1,
    description: "",
    adapters: ["tiny"],
    from: null,
    before: null,
  };
  const files = { scenarios: [join(rig.folder, "scenarios")], keys: [join(rig.folder, "key.pem")] };
  const out = join(rig.folder, "out.json");
  return makeBundle({ ...defaults, ...files, out, ...options }, rig.paths);
}

const INSTALL = { dryRun: false, allowOlder: false, acceptStarts: false };

describe("a key", () => {
  it("is readable by its owner only, and never written over another file", () => {
    const file = join(rig.folder, "key.pem");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, "utf8");
    expect(() => makeKey(file)).toThrow("cannot be written");
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});

describe("a bundle that is made", () => {
  it("holds the adapter's own scenarios with their recordings, and can be installed", async () => {
    const event = { t_ms: 0, data_b64: Buffer.from("ready\r\n").toString("base64") };
    put("scenarios/tiny/recorded.jsonl", `${JSON.stringify(event)}\n`);
    const recorded = { tool: "tiny", scenario_id: "tiny_ready", recording_file: "recorded.jsonl" };
    put("scenarios/tiny/recorded.json", JSON.stringify({ ...recorded, expected_type: null }));
    const made = await make();
    expect(made.checks).toMatchObject([{ name: "tiny", scenarios: 3, problems: [] }]);
    const { payload } = JSON.parse(readFileSync(made.file, "utf8")) as { payload: string };
    expect(payload).not.toContain("recording_file");
    const key = parsePrivateKey(readFileSync(join(rig.folder, "key.pem"), "utf8"));
    rig.trust(key ? [{ name: "team", key }] : []);
    const installed = await updateAdapters({ ...INSTALL, from: made.file }, rig.paths, rig.shipped);
    expect(installed).toMatchObject({ outcome: "installed", signer: { name: "team", id: made.signers[0] } });
  });

  it.each([
    ["its scenarios fail", { scenarios: [] }, "no scenario shows"],
    ["its name is none", { name: "Ac me" }, "expected a name"],
    ["its versions of the program are none", { before: "soon" }, "expected a version"],
    ["the key is none", { keys: ["/dev/null"] }, "no private Ed25519 key"],
    ["there is no such adapter", { adapters: ["tinny"] }, 'Did you mean|no adapter is named "tinny"'],
  ] as const)("is not written if %s", async (_, options, reason) => {
    await expect(make(options)).rejects.toThrow(new RegExp(reason));
    expect(existsSync(join(rig.folder, "out.json"))).toBe(false);
  });
});
