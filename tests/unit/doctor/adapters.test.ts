/**
 * `doctor` says of each adapter whether its tool is installed and new enough. A broken adapter file fails with the place of its
 * mistake.
 */
import { makeTestFolder } from "../../support/temporary-folder.js";
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { checkAdapters, readAdapters } from "../../../src/doctor/adapters.js";
import { agreeTo } from "../../../src/plugins/adapters/agreed-files.js";
import type { CheckFinding } from "../../../src/doctor/check.js";

const ADAPTER = (name: string, more = ""): string =>
  `schema: 1\nname: ${name}\nversion: 1.0.0\ndescription: of a test\nfamily: agent\nprocess: {}\nrules: []\n${more}`;

describe("adapters as doctor sees them", () => {
  let folder = "";

  beforeEach(() => void (folder = makeTestFolder("doctor-adapters")));

  /** A tool that prints this and ends with this code. */
  const install = (name: string, output: string, code = 0): string => {
    const file = join(folder, name);
    writeFileSync(
      file,
      `#!/bin/sh\n[ "$*" = --version ] && printf '%s\\n' ${output}\nenv > "$0.env"\nexit ${code}\n`,
    );
    chmodSync(file, 0o755);
    return file;
  };
  const write = (name: string, text: string): void => writeFileSync(join(folder, `${name}.yaml`), text);
  const place = () => ({ adaptersDir: folder, dataDir: folder, agreedAdapters: join(folder, "agreed.json") });
  /** As `adapter trust` does. */
  const agree = (name: string): void => {
    const file = join(folder, `${name}.yaml`);
    agreeTo({ file, text: readFileSync(file, "utf8") }, place());
  };
  const look = async (): Promise<(name: string) => CheckFinding | undefined> => {
    const env = { PATH: `${folder}:/usr/bin:/bin`, ATLASBRIDGE_TOKEN: "secret" };
    const findings = checkAdapters(await readAdapters(place(), env));
    return (name) => findings.find((finding) => finding.name === name);
  };

  it("of the package are usable, and need no tool", async () => {
    const of = await look();
    expect(of("adapters")).toMatchObject({
      state: "ok",
      found: expect.stringMatching(/\bclaude, .*\bdemo-agent, .*\bgeneric\b/) as string,
    });
    expect(of("adapter:claude")).toMatchObject({ state: "ok", found: "claude is not installed" });
    expect(of("adapter:generic")).toBeUndefined();
  });

  it.each([
    ["2.1.329", "ok", "as"],
    ["3.0.0", "warn", "but"],
  ])("are compared with the installed version %s: %s", async (version, state, word) => {
    const file = install("claude", `"${version} (Claude Code)"`);
    expect((await look())("adapter:claude")).toMatchObject({
      state,
      found: `${file} is ${version}, ${word} the adapter was made for >=2.0.76 <3`,
    });
  });

  it("say which version is too old to be run headless", async () => {
    const file = install("claude", '"2.0.10 (Claude Code)"');
    expect((await look())("adapter:claude")).toMatchObject({
      state: "warn",
      found: `${file} is 2.0.10, too old to run headless (requires 2.0.76 or newer)`,
    });
  });

  it("name each tool that is installed, also under its other names, and which is too old", async () => {
    const [aider, agent] = [install("aider", "1.0.0"), install("agent", "0.0.9")];
    const of = await look();
    expect(of("adapter:aider")).toMatchObject({ state: "ok", found: `${aider} is installed` });
    expect(of("adapter:cursor-agent")).toMatchObject({
      state: "warn",
      found: `${agent} is 0.0.9, too old to run headless (requires 0.1.0 or newer)`,
    });
    for (const name of ["amp", "goose"])
      expect(of(`adapter:${name}`)).toMatchObject({ state: "ok", found: `${name} is not installed` });
    install("cursor-agent", "0.2.0");
    expect((await look())("adapter:cursor-agent")?.found).toMatch(/0\.2\.0, new enough .* \(>=0\.1\.0\)$/);
  });

  it("ask a tool for its version without our secrets, and tell when it says none", async () => {
    const file = install("claude", "hello", 1);
    expect((await look())("adapter:claude")).toMatchObject({
      state: "warn",
      found: `${file} --version names no version`,
    });
    const environment = readFileSync(`${file}.env`, "utf8");
    expect(environment).toContain("ATLASBRIDGE_SESSION=version-check");
    expect(environment).not.toContain("secret");
  });

  it("of the user are named, and no tool of theirs is started that they say no versions of", async () => {
    write("mine", ADAPTER("mine"));
    agree("mine");
    const tool = install("mine", "1.0.0");
    expect((await look())("adapter:mine")).toMatchObject({
      state: "ok",
      found: `${tool} is installed; yours (${join(folder, "mine.yaml")})`,
    });
    expect(existsSync(`${tool}.env`)).toBe(false);
  });

  it("of the user that may not be run yet say so, and their tool is not started", async () => {
    write("mine", ADAPTER("mine", 'supported_versions: ">=1"\n'));
    const tool = install("mine", "1.0.0");
    const found = `yours (${join(folder, "mine.yaml")})`;
    expect((await look())("adapter:mine")?.found).toBe(
      `${tool} is installed; ${found}, which asks before it is run`,
    );
    expect(existsSync(`${tool}.env`)).toBe(false);
    agree("mine");
    expect((await look())("adapter:mine")?.found).toBe(
      `${tool} is 1.0.0, as the adapter was made for >=1; ${found}`,
    );
  });

  it("of the user that take the place of one of the package are named", async () => {
    cpSync("adapters/claude.yaml", join(folder, "claude.yaml"));
    agree("claude");
    expect((await look())("adapter:claude")?.found).toBe(
      `claude is not installed; yours (${join(folder, "claude.yaml")})`,
    );
  });

  it("that are broken fail with the place of the mistake, and the others go on", async () => {
    write("broken", ADAPTER("broken", "supported_versions: newest\n"));
    const of = await look();
    expect(of("adapter:broken")).toMatchObject({
      state: "fail",
      found: expect.stringMatching(/broken\.yaml:8:21: .*comparisons such as/) as string,
    });
    expect(of("adapters")?.found).not.toContain("broken");
  });
});
