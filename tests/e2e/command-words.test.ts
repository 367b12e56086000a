/** What somebody types in the first minutes and gets wrong is answered by what to type instead. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { getProgramVersion } from "../../src/observe/package-root.js";
import { eventually, HubHome } from "../support/hub-home.js";

let home: HubHome;
beforeEach(() => (home = new HubHome()));
afterEach(() => home.close());

it.each(["version", "-v", "--version"])("%s prints the version", async (word) => {
  expect(await home.run(word)).toEqual({ code: 0, stdout: `${getProgramVersion()}\n`, stderr: "" });
});

it.each([
  ["task", "`atlasbridge exec`"],
  ["stop", "`atlasbridge pause`"],
  ["screen", "`atlasbridge sessions NAME`"],
  ["show", "`atlasbridge prompts`"],
])("%s is said to be a word for the chat, with what to do here", async (word, instead) => {
  const { code, stderr } = await home.run(word, "api");
  expect(stderr).toContain(`"${word}" is a word for the chat, not for the command line`);
  expect(stderr).toContain(instead);
  expect(code).not.toBe(0);
});

describe("run without a tool", () => {
  it("lists the tools that are installed here, each as it is started", async () => {
    const bin = join(home.folder, "bin");
    mkdirSync(bin);
    for (const tool of ["claude", "gemini"]) {
      writeFileSync(join(bin, tool), "#!/bin/sh\n");
      chmodSync(join(bin, tool), 0o755);
    }
    home.env["PATH"] = `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
    const { code, stderr } = await home.run("run");
    expect(stderr).toMatch(/^error: name the tool to run\n/);
    expect(stderr).toMatch(/^ {2}\.\/atlasbridge run --ask claude$/m);
    expect(stderr).toMatch(/^ {2}\.\/atlasbridge run .*gemini$/m);
    expect(code).toBe(1);
  });
});

describe("answer", () => {
  it("of a prompt that is not open says what lists the open ones", async () => {
    const { code, stderr } = await home.run("answer", "k7", "2");
    expect(stderr).toBe(
      "atlasbridge: There is no such open prompt. `atlasbridge prompts` lists those that are open.\n",
    );
    expect(code).toBe(1);
  });

  it("with a value that is no choice lists the choices", async () => {
    const menu = "printf 'Pick a size:\\n  1) small\\n  2) large\\n#? '; read -r it";
    home.start("run", "--quiet", "bash", "-c", menu);
    const [prompt] = await eventually(async () => {
      const open = await home.data<{ shortId: string; choices: object[] }[]>("prompts").catch(() => []);
      return open.length === 1 ? open : null;
    });
    expect(prompt?.choices).toHaveLength(2);
    const { stderr } = await home.run("answer", prompt?.shortId ?? "", "7");
    expect(stderr).toContain("Answer with the number of the choice. 1: small; 2: large");
  });
});
