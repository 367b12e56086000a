/** Compares what a rule lets pass with what real shells run. */
import { ALLOWED } from "./command-lines.js";
import { commandPrompt, judge, parseRules } from "./policies.js";
import { createShellSandbox } from "./shell-sandbox.js";

export interface Comparison {
  readonly lines: number;
  readonly answered: number;
  /** Answered lines of which a shell ran something else, or wrote a file. */
  readonly wrong: readonly string[];
  /** Lines that people are asked about although both shells ran only what the rule names. */
  readonly needless: number;
}

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
      const found = (["bash", "sh"] as const).map((shell) => sandbox.run(shell, line));
      const isOnlyAllowed = found.every(({ runs, written }) => written.length === 0 && runs.every(isAllowed));
      if (isAnswered && !isOnlyAllowed) wrong.push(`${JSON.stringify(line)} ran ${JSON.stringify(found)}`);
      if (!isAnswered && isOnlyAllowed && found.some(({ runs }) => runs.length > 0)) needless += 1;
    }
  } finally {
    sandbox.remove();
  }
  return { lines: lines.length, answered, wrong, needless };
}

function isAllowed(run: readonly string[]): boolean {
  return ALLOWED.some((allowed) => allowed.split(" ").every((word, at) => word === run[at]));
}
