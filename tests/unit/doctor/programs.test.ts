/** `doctor` says of each file of a shell or an interpreter whether it can be used, and starts none of them. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkPrograms } from "../../../src/doctor/adapters.js";

const folder = mkdtempSync(join(tmpdir(), "doctor-programs-"));
mkdirSync(join(folder, "programs"));

const look = () => checkPrograms({ adaptersDir: folder }, { PATH: folder });

it("names what is usable and what is installed", async () => {
  writeFileSync(join(folder, "dash"), `#!/bin/sh\ntouch ${folder}/started\n`);
  chmodSync(join(folder, "dash"), 0o755);
  expect((await look())[0]).toMatchObject({
    name: "programs",
    state: "ok",
    found: expect.stringMatching(/^\d+ usable; installed: dash$/u) as string,
  });
  expect(() => readFileSync(join(folder, "started"))).toThrow();
});

it("fails at a file of yours that takes the place of ours and cannot be read", async () => {
  writeFileSync(join(folder, "programs", "bash.yaml"), "schema: 1\nname: bash\nfamily: nothing\n");
  expect((await look()).find(({ name }) => name === "program:bash")).toMatchObject({ state: "fail" });
});
