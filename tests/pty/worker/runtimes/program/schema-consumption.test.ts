/**
 * Each field of the program format is read by what drives, tests or describes programs, while they do so: the files of the tests run
 * their contract tests with the real programs, and a field that nothing reads then fails here. What stands in a file and is read by
 * nothing would be a promise that nobody keeps.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testProgram } from "../../../../../prompt-lab/check/program-tests.js";
import { systemClock } from "../../../../../src/observe/clock.js";
import { adviseAgent, describeProgram } from "../../../../../src/plugins/adapters/describe-program.js";
import {
  readProgram,
  type ReadProgram,
} from "../../../../../src/worker/adapter-format/program/read-program.js";
import { planInput } from "../../../../../src/worker/runtimes/program/input/plan-input.js";
import { prepareLaunch, removeStaleFiles } from "../../../../../src/worker/runtimes/program/launch.js";
import { readFixture } from "../../../../support/program/open.js";
import { recordReads } from "../../../../support/program/record-reads.js";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

function listFields(schema: Schema, path = ""): string[] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([key, own]) => [
    `${path}${key}`,
    ...listFields(own, `${path}${key}.`),
  ]);
  const inner = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])];
  return [...new Set([...below, ...inner.flatMap((each) => listFields(each, path))])];
}

const FIELDS = listFields(JSON.parse(readFileSync("schemas/program.schema.json", "utf8")) as Schema);

/** What the adapter spec calls reserved is refused. */
const RESERVED = ["ready.timeout_ms", "lifecycle.ready_timeout_ms"];
/** Read before there is a program to drive. The scripts are what the contract tests of these files run on. */
const BEFORE = ["schema", "version", "aliases", "init.script", "init.script_resource", "integration_script"];

function record(read: ReadProgram) {
  const { value: program, paths } = recordReads(read.program);
  return { read: { ...read, program }, paths };
}

it("each field is read while programs are driven and described", async () => {
  const read = new Set<string>();
  const left = mkdtempSync(join(tmpdir(), "left-"));
  writeFileSync(join(left, ".toy-exec-old"), "");
  const zsh = readProgram(readFileSync("adapters/programs/zsh.yaml", "utf8"), "zsh.yaml");
  for (const file of [zsh, ...["toy", "marker", "prompt-variable", "inject"].map(readFixture)]) {
    const recorded = record(file);
    const { name } = file.program;
    const report = await testProgram(recorded.read, true);
    if (report.skipped !== null) console.warn(`skipped: ${name}: ${report.skipped}`);
    else {
      expect({ name, problems: report.problems }).toEqual({ name, problems: [] });
      expect(report.tests.filter(({ problems }) => problems.length > 0)).toEqual([]);
    }
    removeStaleFiles(recorded.read.program, left, systemClock.now());
    for (const path of recorded.paths) read.add(path);
  }
  rmSync(left, { recursive: true });
  const toy = record(readFixture("toy"));
  const place = { folder: tmpdir(), guid: "g" };
  expect(planInput('say "a\\"b', toy.read.program, place)).toContain("is missing");
  expect(planInput("pwd", toy.read.program, { ...place, directory: "/" })).toMatchObject({
    lines: ['cd "/"', "pwd"],
  });
  prepareLaunch(toy.read, {
    ...place,
    nonce: "n",
    typed: "toy",
    args: [],
    environment: {},
    cwd: "/",
    folder: mkdtempSync(join(tmpdir(), "launch-")),
    banner: "b",
    reason: "r",
  });
  const needy = readFixture("toy");
  const needs = { command: ["{shell_path}", "-c", "exit(1)"], otherwise: "no server is there" };
  const lacking = record({
    ...needy,
    program: { ...needy.program, probe: { ...needy.program.probe, needs } },
  });
  expect(await testProgram(lacking.read, true)).toMatchObject({ skipped: "no server is there", tests: [] });
  const spec = record(readProgram(readFileSync("tests/fixtures/programs/seed.yaml", "utf8"), "seed.yaml"));
  const told = [...describeProgram(spec.read), adviseAgent(spec.read.program)].join("\n");
  for (const path of [...toy.paths, ...lacking.paths, ...spec.paths]) read.add(path);
  // They are listed as they come, which is no reading of one.
  for (const [name, template] of Object.entries(spec.read.program.commands?.debugger ?? {}))
    if (template == null || told.includes(template)) read.add(`commands.debugger.${name}`);

  expect(FIELDS.length).toBeGreaterThan(130);
  const unread = FIELDS.filter(
    (field) => !read.has(field) && !RESERVED.includes(field) && !BEFORE.includes(field),
  );
  expect(unread).toEqual([]);
});
