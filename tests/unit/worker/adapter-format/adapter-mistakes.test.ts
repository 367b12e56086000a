/** A single mistake in an adapter file that we ship is reported with its place and with what was meant. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { compileAdapter } from "../../../../src/worker/adapter-format/compiled/compile-rules.js";

function shipped(name: string): string {
  return readFileSync(`adapters/${name}.yaml`, "utf8");
}

/** What is said of the adapter once `right` is `wrong`. */
function readMistake(name: string, right: string, wrong: string): string {
  const text = shipped(name);
  expect(text.split(right).length, `${right} stands in ${name} once`).toBe(2);
  try {
    compileAdapter(text.replace(right, wrong), "a.yaml");
  } catch (error) {
    if (error instanceof AtlasBridgeError && error.code === "ATB_ADAPTER_INVALID") return error.message;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** Line and column of the `part` of what was written. */
function findPlace(name: string, right: string, wrong: string, part: string): string {
  const before = shipped(name).replace(right, wrong).split(part, 1)[0] ?? "";
  const rows = before.split("\n");
  return `a.yaml:${rows.length}:${(rows.at(-1) ?? "").length + 1}: `;
}

interface Mistake {
  readonly adapter: string;
  readonly right: string;
  readonly wrong: string;
  /** Where the problem stands. */
  readonly at: string;
  readonly said: string;
}

function mistake(adapter: string, right: string, wrong: string, at: string, said: string): Mistake {
  return { adapter, right, wrong, at, said };
}

const PLACEHOLDERS = [
  mistake(
    "claude",
    '"{tools}"',
    '"{tool}"',
    '"{tool}"]',
    'unknown placeholder "{tool}"; did you mean "{tools}"?',
  ),
  mistake(
    "claude",
    '"{tools}"',
    "All",
    "[--allowedTools",
    'expected {tools} as an argument of its own, found ["--allowedTools","All"]',
  ),
  mistake(
    "claude",
    '"{tools}"',
    '"={tools}"',
    "[--allowedTools",
    "expected {tools} as an argument of its own",
  ),
  mistake(
    "claude",
    '"{context}"',
    '"{contxt}"',
    '"{contxt}"',
    'unknown placeholder "{contxt}"; did you mean "{context}"?',
  ),
  mistake(
    "claude",
    '"{context}"',
    "none",
    "[--append-system-prompt, none",
    "expected {context} in one of the arguments",
  ),
  mistake(
    "claude",
    '"{session}"',
    "latest",
    "[--resume, latest",
    'with the session it names, never with the latest, found ["--resume","latest"]',
  ),
  mistake("copilot", '"{prompt}"', '"{promt}"', '"{promt}"', 'did you mean "{prompt}"?'),
  mistake(
    "claude",
    "command: [-p,",
    'command: [-p, "{prompt}",',
    '"{prompt}"',
    'unknown placeholder "{prompt}"; known here: none',
  ),
  mistake("gemini", "[gemini, --acp]", '[gemini, "--acp={x}"]', '"--acp={x}"', 'unknown placeholder "{x}"'),
  mistake(
    "claude",
    "A permission of {tool}",
    "A permission of {tol}",
    ">-\n    A permission of {tol}",
    'unknown placeholder "{tol}"; did you mean "{tool}"?',
  ),
  mistake(
    "claude",
    'question: "Run this command?"',
    'question: "Run {tol}?"',
    '"Run {tol}?"',
    'did you mean "{tool}"?',
  ),
  mistake(
    "claude",
    'drawn: { part: "{command}" }',
    "drawn: { part: command }",
    "command } }",
    "expected a field of the call in braces",
  ),
  mistake(
    "claude",
    'drawn: { part: "{command}" }',
    'drawn: { part: "{the-command}" }',
    '"{the-command}"',
    "expected the names of fields in braces",
  ),
  mistake(
    "codex",
    '"{edits}"',
    '"{edit}"',
    '"{edit}"',
    'unknown placeholder "{edit}"; did you mean "{edits}"?',
  ),
];

const NAMES = [
  mistake(
    "claude",
    "leads_to: review_answers",
    "leads_to: review_answer",
    "review_answer }",
    'did you mean "review_answers"?',
  ),
  mistake(
    "claude",
    "intent: allow_always, mode: acceptEdits",
    "intent: allow_always, mode: acceptEdit",
    "acceptEdit }",
    'there is no mode "acceptEdit"; did you mean "acceptEdits"?',
  ),
  mistake("claude", "toggle: space", "toggle: ctrl_u", "ctrl_u", 'the name of a key; did you mean "ctrl-u"?'),
  mistake("generic", "interrupt: ctrl-c", "interrupt: ctrl_c", "ctrl_c", 'did you mean "ctrl-c"?'),
  mistake("claude", "clear: ctrl-c", "clear: ctrl_c", "ctrl_c", 'did you mean "ctrl-c"?'),
  mistake("claude", "toggle: space", "toggle: spase", "spase", 'the name of a key; did you mean "space"?'),
  mistake(
    "claude",
    "text_keys: [tab]",
    "text_keys: [f12]",
    "f12",
    "expected one character or the name of a key; there are: enter",
  ),
  mistake(
    "claude",
    "replace: { json:",
    "replace: { jsn:",
    "stream-json }, add",
    'there is no "jsn" in the command',
  ),
  mistake("gemini", "talk: { speaks: acp }", "talk: { speaks: acpp }", "acpp }", 'did you mean "acp"?'),
  mistake(
    "claude",
    "class: plan\n      question: Approve",
    "class: plann\n      question: Approve",
    "plann",
    'did you mean "plan"?',
  ),
  mistake(
    "claude",
    "drawn: { lines: ",
    "drawn: { line: ",
    "line: ",
    'unknown key "hooks.calls.2.drawn.line"; did you mean "lines"?',
  ),
  mistake(
    "codex",
    "reports: { program_status: codex }",
    "reports: { program_statu: codex }",
    "program_statu:",
    'did you mean "program_status"?',
  ),
];

const KINDS = [
  mistake(
    "claude",
    "result: content",
    "resullt: content",
    "resullt",
    'unknown key "headless.show.2.resullt"; did you mean "result"?',
  ),
  mistake(
    "claude",
    "live: { replace:",
    "live: { replcae:",
    "replcae",
    'unknown key "headless.live.replcae"; did you mean "replace"?',
  ),
  mistake(
    "claude",
    "min_version: 2.0.76",
    "min_version: two",
    "two",
    '"headless.min_version": expected a version such as 1.2.3, found "two"',
  ),
  mistake("copilot", "show: lines", "show: line", "line\n", 'expected ("lines" | Array), found "line"'),
  mistake("claude", "interrupt: esc", "interrupt: escp", "escp", 'found "escp"; did you mean "esc"?'),
];

const NOTHING = [
  mistake(
    "generic",
    "unread: line\n",
    "unread: none\n",
    "[ctrl-c, ctrl-d]",
    '"unread_keys" means nothing without "unread: screen" or "unread: line"',
  ),
  mistake(
    "claude",
    "      result: content\n      failed: is_error\n",
    "      # no result\n",
    "when: { type: user",
    '"headless.show.2": expected one of text, thought, message, call, result',
  ),
  mistake(
    "codex",
    "reports: { program_status: codex }",
    "",
    "app_server\n  versions",
    'needs "reports: { program_status: … }"',
  ),
  mistake(
    "opencode",
    "  command: [run, --agent, build, --format, json]\n",
    "",
    '[--session, "{session}"]',
    '"headless.session_args": means nothing without a command',
  ),
];

describe.each([
  ["a placeholder", PLACEHOLDERS],
  ["a name", NAMES],
  ["a value of one of several kinds", KINDS],
  ["what would do nothing", NOTHING],
])("%s that is wrong in an adapter file", (_what, mistakes) => {
  it.each(mistakes)("is refused where it stands: $wrong", ({ adapter, right, wrong, at, said }) => {
    const found = readMistake(adapter, right, wrong);
    expect(found).toContain(said);
    expect(found).not.toContain("found Object");
    expect(found.startsWith(findPlace(adapter, right, wrong, at)), `${found} — not where ${at} is`).toBe(
      true,
    );
  });
});

it("an agent that is talked to in a protocol says how it is started in that", () => {
  const text = shipped("gemini").replace(/^acp:\n(?: {2}.*\n)+/m, "");
  expect(() => compileAdapter(text, "a.yaml")).toThrow(
    /^a\.yaml:\d+:\d+: .*"speaks: acp" needs the section "acp"/,
  );
});
