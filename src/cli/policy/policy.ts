import { Option, type Command } from "commander";
import { resolve } from "node:path";
import { AtlasBridgeError } from "../../model/errors.js";
import type { RuleFinding } from "../../policy/check-policy.js";
import { PRESETS, type Preset } from "../../policy/presets.js";
import type { ScenarioTest, PolicyTest } from "../../policy/explain-prompt.js";
import { formatCount } from "../format.js";
import { registerHistory } from "./history.js";
import { CommandFailed, printLines, printResult, warnOfEarlierConfig } from "../output.js";

export function registerPolicy(program: Command): void {
  const policy = program
    .command("policy")
    .summary("let rules answer prompts")
    .description(
      "Rules in policy.yaml answer what you have decided before. Without that file, people are asked about everything.",
    );

  policy
    .command("init")
    .summary("write a policy file")
    .addOption(
      new Option("--preset <name>", "what to begin with").choices([...PRESETS]).default("ask-everything"),
    )
    .action(async ({ preset }: { preset: Preset }) => {
      const { initPolicy } = await import("../../policy/read-policy.js");
      printLines([`Written: ${initPolicy(preset)}`, "A running hub reads it with `atlasbridge hub reload`."]);
    });

  policy
    .command("check")
    .summary("check a policy file, and find rules that never act")
    .argument("[file]", "the file (default: the hub's policy.yaml)")
    .option("--json", "print one JSON object", false)
    .action(async (file: string | undefined, { json }: { json: boolean }) => {
      await printResult(json, () => checkFile(file), formatCheck);
      if (file === undefined) await warnOfEarlierConfig();
    });

  registerTest(policy);
  registerHistory(policy);
}

interface TestFlags {
  readonly command?: string;
  readonly prompt?: string;
  readonly scenario?: string;
  readonly policy?: string;
  readonly tool: string;
  readonly cwd: string;
  readonly json: boolean;
}

function registerTest(policy: Command): void {
  policy
    .command("test")
    .summary("show what the rules say to a command, a prompt or a recording, without asking anybody")
    .description(
      "Shows what the rules say to a command that a tool asks to run, to a prompt on record, or to every prompt of a recording. Nobody is asked.",
    )
    .option("--command <line>", "a shell command that a tool asks to run")
    .option("--prompt <shortid>", "a prompt on record, such as k7 (see `prompts --all`)")
    .option("--scenario <file>", "a recording of a terminal, by file or id (see `lab record`)")
    .option("--policy <file>", "the file (default: the hub's policy.yaml)")
    .option("--tool <name>", "the supervised tool, for --command", "generic")
    .option("--cwd <directory>", "the session's directory, for --command and --scenario", ".")
    .option("--json", "print one JSON object", false)
    .action(async (flags: TestFlags) => {
      const { scenario, json } = flags;
      if (scenario === undefined) await printResult(json, () => testOne(flags), formatTest);
      else await printResult(json, () => testRecording(flags, scenario), formatScenario);
      if (flags.policy === undefined) await warnOfEarlierConfig();
    });
}

function requireOneSubject({ command, prompt, scenario }: TestFlags): void {
  const given = [command, prompt, scenario].filter((each) => each !== undefined);
  if (given.length === 1) return;
  throw new AtlasBridgeError("ATB_USAGE", "name one of --command, --prompt and --scenario", {
    hint: "`atlasbridge policy test --command 'git status'` shows the verdict for that command.",
  });
}

async function testOne(flags: TestFlags): Promise<PolicyTest> {
  requireOneSubject(flags);
  const { command = "", prompt, tool, cwd } = flags;
  const { readPolicySource } = await import("../../policy/read-policy.js");
  const { policy } = readPolicySource(flags.policy);
  if (prompt !== undefined) {
    const { testAskedPrompt } = await import("../../policy/explain-prompt.js");
    return testAskedPrompt(policy, prompt);
  }
  const { testCommand } = await import("../../policy/explain-prompt.js");
  return testCommand(policy, { command, tool, cwd: resolve(cwd), now: Date.now() });
}

async function testRecording(flags: TestFlags, scenario: string): Promise<ScenarioTest> {
  requireOneSubject(flags);
  const { readPolicySource } = await import("../../policy/read-policy.js");
  const { testScenario } = await import("../../policy/explain-prompt.js");
  const { policy } = readPolicySource(flags.policy);
  return testScenario(policy, scenario, { cwd: resolve(flags.cwd), now: Date.now() });
}

interface CheckedFile {
  readonly file: string;
  readonly mode: string;
  readonly rules: number;
  readonly findings: readonly RuleFinding[];
}

async function checkFile(named: string | undefined): Promise<CheckedFile> {
  const { checkRules, checkSteps, checkTerms } = await import("../../policy/check-policy.js");
  const { listPeople } = await import("../../client/people.js");
  const { readPolicySource } = await import("../../policy/read-policy.js");
  const known = listPeople();
  const people = known.map(({ name }) => name);
  // A policy file of another machine may name people that are not configured here.
  const isElsewhere = named !== undefined && people.length === 0;
  const { file, policy } = readPolicySource(named, isElsewhere ? null : people);
  const findings = checkRules(policy);
  const first = findings[0];
  if (first !== undefined && policy.rules.length > 0 && findings.length === policy.rules.length)
    throw new CommandFailed("no_rule_acts", `${file}: no rule can ever act; ${first.rule}: ${first.problem}`);
  const terms = isElsewhere ? [] : [...checkSteps(policy, people), ...checkTerms(policy, known)];
  return { file, mode: policy.mode, rules: policy.rules.length, findings: [...findings, ...terms] };
}

function formatCheck({ file, mode, rules, findings }: CheckedFile): string[] {
  const count = formatCount(rules, "rule");
  return [
    `${file}: ${count}, mode ${mode}, no errors`,
    ...findings.map(({ rule, problem }) => `  ${rule}: ${problem}`),
  ];
}

function formatTest({ verdict, rule, reason }: PolicyTest): string[] {
  return [rule === null ? verdict : `${verdict} (rule ${rule})`, `  ${reason}`];
}

function formatScenario({ tool, prompts }: ScenarioTest): string[] {
  if (prompts.length === 0) return [`${tool}: nothing is asked in it`];
  return prompts.flatMap(({ question, ...test }) => [
    question,
    ...formatTest(test).map((line) => `  ${line}`),
  ]);
}
