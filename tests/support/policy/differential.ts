/** Compares what a rule lets pass with what real shells run. */
import { HANG_MS } from "../hang-guards.js";
import { ALLOWED } from "./command-lines.js";
import { commandPrompt, judge, parseRules } from "./policies.js";
import { createShellSandbox, type ShellRun } from "./shell-sandbox.js";

export interface Comparison {
  readonly lines: number;
  readonly answered: number;
  /** Answered lines of which a shell ran something else, wrote a file, or did not come to the end. */
  readonly wrong: readonly string[];
  /** Lines that people are asked about although both shells ran only what the rule names. */
  readonly needless: number;
}

/** A line that people are asked about may loop: one that reaches this limit fails nothing, and is not counted as harmless. */
const LOOP_MS = 3_000;

const RULE = `
  - id: safe
    match: { class: permission, command: [${ALLOWED.join(", ")}] }
    answer: allow_once
`;

/** `all`: lines that are not answered run as well, which says how many of them are harmless. */
export function compareWithShells(lines: readonly string[], all: boolean): Comparison {
  const policy = parseRules(RULE);
  const sandbox = createShellSandbox();
  const wrong: string[] = [];
  let answered = 0;
  let needless = 0;
  try {
    for (const line of lines) {
      const isAnswered = judge(policy, commandPrompt(line)).kind === "answer";
      if (isAnswered) answered += 1;
      if ((!isAnswered && !all) || line.includes("\u0000")) continue;
      const limitMs = isAnswered ? HANG_MS : LOOP_MS;
      const found = (["bash", "sh"] as const).map((shell) => sandbox.run(shell, line, limitMs));
      const isOnlyAllowed = found.every(isHarmless);
      if (isAnswered && !isOnlyAllowed) wrong.push(`${JSON.stringify(line)} ran ${JSON.stringify(found)}`);
      if (!isAnswered && isOnlyAllowed && found.some(({ runs }) => runs.length > 0)) needless += 1;
    }
  } finally {
    sandbox.remove();
  }
  return { lines: lines.length, answered, wrong, needless };
}

function isHarmless({ runs, written, brokenOff }: ShellRun): boolean {
  return brokenOff === null && written.length === 0 && runs.every(isAllowed);
}

function isAllowed(run: readonly string[]): boolean {
  return ALLOWED.some((allowed) => allowed.split(" ").every((word, at) => word === run[at]));
}
