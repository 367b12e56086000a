/** How long a verdict takes before anybody is asked: 200 rules with every kind of condition, and prompts that most of them do not match. Prints a report. */
import { compilePolicy } from "../src/hub/policy/compile.js";
import { decide } from "../src/hub/policy/decide.js";
import { readExactRequest } from "../src/hub/policy/exact-request.js";
import { NO_USES } from "../src/hub/policy/verdict.js";
import type { PromptEvent } from "../src/model/prompt.js";
import { callPrompt, commandPrompt, parseRules, SESSION, WORLD } from "../tests/support/policy/policies.js";
import { median, quantile, short, type Report } from "./figures.js";

const RULES = 200;
const ROUNDS = 2_000;
const WARM_UP = 200;

const KINDS: readonly ((n: number) => string)[] = [
  (n) =>
    `match: { class: permission, command: [tool${n} build, tool${n} test], path: . }, answer: allow_once`,
  (n) => `match: { command: [tool${n} push --force] }, deny: true`,
  (n) => `match: { call: [Read${n}, Edit${n}], path: ~/code/p${n} }, answer: allow_once`,
  (n) => `match: { pattern: '(?i)secret-${n}[a-z]*\\.(pem|key)' }, ask: { approvers: [Ara] }`,
  (n) => `match: { host: ['*.h${n}.example.com'] }, deny: true`,
  (n) => `match: { text: [word-${n}], none_of: [{ path: ~/p${n} }] }, ask: true`,
];

const PROMPTS: readonly PromptEvent[] = [
  ...[
    "npm test",
    "git status -s && ls -la src | head -20",
    "tool198 test --all src/a.ts",
    "cd x && make $(cat y)",
  ].map((line) => commandPrompt(line)),
  callPrompt("Edit", {
    file_path: "/home/ara/project/src/a.ts",
    old_string: "a",
    new_string: "b".repeat(4_000),
  }),
  callPrompt("WebFetch", { url: "https://docs.example.com/page", prompt: "Summarize it" }),
];

function measureRules(): Report {
  const lines = Array.from(
    { length: RULES },
    (_, n) => `  - { id: r${n}, ${(KINDS[n % KINDS.length] ?? String)(n)} }`,
  );
  const rules = parseRules(`\n${lines.join("\n")}\n`);
  const verdict = (event: PromptEvent): unknown =>
    decide(rules, { event, session: SESSION, now: 0 }, WORLD, NO_USES);
  const exact = (event: PromptEvent): unknown => readExactRequest({ event, session: SESSION, now: 0 }, WORLD);
  const none = compilePolicy({ version: 1, mode: "full", countdown: 0, roles: {}, rules: [] });
  const empty = (event: PromptEvent): unknown =>
    decide(none, { event, session: SESSION, now: 0 }, WORLD, NO_USES);
  return {
    title: "Rules",
    text: `A verdict on one prompt, parsed anew each time; ${PROMPTS.length} prompts (commands, an edit of 4 KB, a URL), ${ROUNDS} rounds. The bar is 0.2 ms in the median for ${RULES} rules.`,
    columns: ["", "median ms", "p95 ms", "worst ms"],
    rows: [
      [`${RULES} rules`, ...measure(verdict)],
      ["no rules", ...measure(empty)],
      ["what a grant compares", ...measure(exact)],
    ],
  };
}

function measure(work: (event: PromptEvent) => unknown): string[] {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1)
    for (const event of PROMPTS) {
      const began = performance.now();
      work(event);
      if (round >= WARM_UP) times.push(performance.now() - began);
    }
  return [median(times), quantile(times, 0.95), Math.max(...times)].map(short);
}

console.log(JSON.stringify(measureRules()));
