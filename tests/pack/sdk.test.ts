/**
 * The packed package, installed outside of this repository, is enough to build one adapter and one channel, each in a folder of its
 * own, and to run the kits of the contracts there.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compile, copySource, makeConsumer } from "../support/pack/consumer.js";
import { Installation, type Ended } from "../support/pack/installation.js";

const LINE_TOOL = "docs/how-to/examples/line-tool/adapter.test.ts";
const CHANNEL_TEST = `
import { test } from "node:test";
import { channelChecks, serviceChecks } from "atlasbridge/sdk/testing";
import ntfy from "./docs/how-to/examples/ntfy/index.js";
import { openNtfy } from "./tests/contract/channel/ntfy-bench.js";

for (const { name, run, skip } of [...channelChecks(ntfy, openNtfy), ...serviceChecks(ntfy, openNtfy)])
  void test(name, { skip: skip ?? false }, run);
`;

const installation = new Installation();
beforeAll(() => installation.pack());
afterAll(() => installation.close());

async function installInto(name: string, packages: readonly string[]): Promise<string> {
  const folder = installation.place(name);
  // npm replaces what it finds in node_modules, so their own packages come last.
  await installation.npm([
    "install",
    `--prefix=${folder}`,
    "--ignore-scripts",
    "--omit=optional",
    installation.tarball,
  ]);
  makeConsumer(folder, packages);
  return folder;
}

/** What `node --test` counted. */
async function runTests(file: string): Promise<{ readonly ended: Ended; readonly passed: number }> {
  const ended = await installation.run(process.execPath, ["--test", "--test-reporter=tap", file]);
  return { ended, passed: Number(/^# pass (\d+)$/m.exec(ended.stdout)?.[1]) };
}

it("an adapter is built, and keeps the contract", async () => {
  const folder = await installInto("adapter", []);
  copySource(LINE_TOOL, folder);
  expect(compile(folder)).toBe("");
  const { ended, passed } = await runTests(join(folder, "built", LINE_TOOL.replace(".ts", ".js")));
  expect(ended.stdout).toContain("# fail 0");
  expect(ended.code).toBe(0);
  expect(passed).toBeGreaterThanOrEqual(21);
});

it("a channel is built, and keeps the contract", async () => {
  const folder = await installInto("channel", ["valibot"]);
  copySource("docs/how-to/examples/ntfy/index.ts", folder);
  copySource("tests/contract/channel/ntfy-bench.ts", folder);
  writeFileSync(join(folder, "channel.test.ts"), CHANNEL_TEST);
  expect(compile(folder)).toBe("");
  const { ended, passed } = await runTests(join(folder, "built/channel.test.js"));
  expect(ended.stdout).toContain("# fail 0");
  expect(ended.code).toBe(0);
  expect(passed).toBeGreaterThanOrEqual(27);
});

it("nothing else of the package can be imported, and its command still runs", async () => {
  const folder = await installInto("others", []);
  const code = 'import("atlasbridge/dist/program.js").catch(({ code }) => console.log(code))';
  const ended = await installation.run(process.execPath, ["--input-type=module", "-e", code], {}, folder);
  expect(ended.stdout).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED\n");
  const version = await installation.run(join(folder, "node_modules/.bin/atlasbridge"), ["--version"]);
  expect(version).toMatchObject({ code: 0 });
});
