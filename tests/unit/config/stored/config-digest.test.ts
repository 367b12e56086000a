/** The digest of configuration and rules changes with what they say, and with nothing else. */
import { makeTestFolder } from "../../../support/temporary-folder.js";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readConfigDigest } from "../../../../src/config/stored/config-digest.js";

it("changes with each of the two files, and not with a comment", () => {
  const folder = makeTestFolder("digest");
  const paths = { config: join(folder, "config.yaml"), policy: join(folder, "policy.yaml") };
  const read = (config: string, policy: string): string => {
    writeFileSync(paths.config, config);
    writeFileSync(paths.policy, policy);
    return readConfigDigest(paths);
  };
  const missing = readConfigDigest(paths);
  const first = read("people: []\n", "mode: full\n");
  expect(read("people: [] # nobody\n", "# all\nmode: full\n")).toBe(first);
  const others = [
    missing,
    read("people: [a]\n", "mode: full\n"),
    read("people: []\n", "mode: off\n"),
    read("people: [\n", "mode: full\n"),
  ];
  expect(new Set([first, ...others]).size).toBe(5);
});
