import type { Command } from "commander";
import type { Explanation } from "../../policy/explain-prompt.js";
import type { Replay, Stats } from "../../policy/replay-policy.js";
import { formatDuration } from "../../model/data/age.js";
import { formatCount } from "../format.js";
import { printResult, warnOfEarlierConfig } from "../output.js";
import { readSince } from "../parse-option.js";

interface HistoryFlags {
  readonly policy?: string;
  readonly since: string;
  readonly json: boolean;
}

export function registerHistory(policy: Command): void {
  policy
    .command("explain")
    .summary("show what each rule says to a prompt that was asked, and why")
    .argument("<shortid>", "the prompt's short id, such as k7 (see `prompts --all`)")
    .option("--policy <file>", "the file (default: the hub's policy.yaml)")
    .option("--json", "print one JSON object", false)
    .action(async (shortId: string, { policy: file, json }: HistoryFlags) => {
      await printResult(
        json,
        async () => {
          const { explainPrompt } = await import("../../policy/explain-prompt.js");
          const { readPolicySource } = await import("../../policy/read-policy.js");
          return explainPrompt(readPolicySource(file).policy, shortId.toLowerCase());
        },
        formatExplanation,
      );
      if (file === undefined) await warnOfEarlierConfig();
    });

  policy
    .command("replay")
    .summary("show what the rules would have done with the prompts on record")
    .option("--policy <file>", "the file (default: the hub's policy.yaml)")
    .option("--since <time>", "how far back, such as 7d or 12h", "7d")
    .option("--json", "print one JSON object", false)
    .action(async ({ policy: file, since, json }: HistoryFlags) => {
      await printResult(
        json,
        async () => {
          const { replayRecord } = await import("../../policy/replay-policy.js");
          return replayRecord(file, readSince(since));
        },
        formatReplay,
      );
    });

  policy
    .command("stats")
    .summary("show how prompts were answered, and which rules would have saved some")
    .option("--since <time>", "how far back, such as 7d or 12h", "7d")
    .option("--json", "print one JSON object", false)
    .action(async ({ since, json }: HistoryFlags) => {
      await printResult(
        json,
        async () => {
          const { readStats } = await import("../../policy/replay-policy.js");
          return readStats(readSince(since));
        },
        formatStats,
      );
    });
}

function formatExplanation(found: Explanation): string[] {
  const { shortId, tool, question, verdict, rule, reason, guard, noGrant, rules } = found;
  const [first = ""] = question.split("\n");
  const width = Math.max(0, ...rules.map((each) => each.rule.length));
  return [
    `${shortId}  ${tool}: ${first}`,
    `verdict: ${rule === null ? verdict : `${verdict} (rule ${rule})`}`,
    `  ${reason}`,
    ...(guard === null ? [] : [`no rule may answer it: ${guard}`]),
    noGrant === null ? "a grant may answer it" : `no grant may answer it: ${noGrant}`,
    ...rules.map(
      (each) =>
        `  ${each.rule.padEnd(width)}  ${each.action.padEnd(6)}  ${each.matches.padEnd(7)}  ${each.why}`,
    ),
  ];
}

function formatReplay({ prompts, answered, denied, conflicts }: Replay): string[] {
  const people = answered.approved + answered.denied;
  return [
    `${formatCount(prompts, "prompt")} on record. These rules would have`,
    `  answered ${sum(answered)}: ${people} that people answered (${answered.approved} approved, ${answered.denied} denied), ${answered.automatic} that rules or grants answered, ${answered.unproved + answered.elsewhere} decided at the terminal, without proof, or not at all`,
    `  denied ${sum(denied)}: ${denied.approved} of them people approved`,
    ...(conflicts.length === 0
      ? ["None against what a person decided from afar. What was decided at the terminal is not on record."]
      : ["Against what a person decided from afar:"]),
    ...conflicts.map(
      ({ shortId, rule, verdict, question }) => `  ${shortId}  ${verdict} by ${rule}: ${question}`,
    ),
  ];
}

function formatStats({
  prompts,
  decided,
  medianMs,
  slowestMs,
  untimed,
  byPerson,
  suggestions,
}: Stats): string[] {
  const people = decided.approved + decided.denied;
  const unproved =
    decided.unproved === 0 ? "" : `${decided.unproved} without proof that the tool has read the answer, `;
  const names = Object.entries(byPerson).map(([name, answers]) => `${name} ${answers}`);
  const took =
    medianMs === null || slowestMs === null
      ? untimed === 0
        ? []
        : [`  how long it took is unknown${describeUntimed(untimed)}`]
      : [
          `  half of them within ${formatDuration(medianMs)}, all within ${formatDuration(slowestMs)}${describeUntimed(untimed)}`,
        ];
  return [
    `${formatCount(prompts, "prompt")}: ${people} answered by people (${decided.approved} approved, ${decided.denied} denied), ${decided.automatic} by rules or grants, ${unproved}${decided.elsewhere} at the terminal or not at all`,
    ...took,
    ...(names.length === 0 ? [] : [`  ${names.join(", ")}`]),
    ...suggestions.flatMap(({ command, answers, unknown, rule }) => [
      "",
      `A rule for ${command} would have answered ${answers} of these ${people} prompts, and none that was denied from afar:`,
      ...(unknown === 0
        ? []
        : [
            `(And ${unknown} that ended at the terminal or without proof: what was decided there is not on record.)`,
          ]),
      ...rule.trimEnd().split("\n"),
    ]),
  ];
}

function describeUntimed(untimed: number): string {
  return untimed === 0 ? "" : ` (not counted: ${untimed}, because the clock was set meanwhile)`;
}

function sum(decisions: Readonly<Record<string, number>>): number {
  return Object.values(decisions).reduce((total, each) => total + each, 0);
}
