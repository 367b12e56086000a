/**
 * A working day with a real tool: its model calls, one after the other, what stands in `day-requests.ts`, and a person allows each prompt that
 * the tool raises. Which of the calls it asks about at all is the tool's own decision.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findYes } from "../../../src/model/answer/find-yes.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import { quoteShellWord } from "../../../src/safety/shell-word.js";
import { granted, replyTo } from "../acp-agent.js";
import { exec, patch, sandboxed } from "../corpus/codex/moves.js";
import { shell as geminiShell } from "../corpus/gemini/moves.js";
import { bash } from "../corpus/opencode/moves.js";
import { shell as qwenShell } from "../corpus/qwen/moves.js";
import { driven, spoken } from "../exchanges/record.js";
import { keepIfWanted } from "../exchanges/keep.js";
import { scrubbed } from "../exchanges/scrub.js";
import type { Scenario, ToolCall } from "../fake-model/script.js";
import { FakeModel } from "../fake-model/server.js";
import { promptEvent } from "../prompts.js";
import { CLAUDE_VERSION, installClaude, prepareClaude, type ToolCommand } from "../real-cli/claude.js";
import { codex } from "../real-cli/codex.js";
import { gemini } from "../real-cli/gemini.js";
import type { Installed } from "../real-cli/install.js";
import { opencode } from "../real-cli/opencode.js";
import { qwen } from "../real-cli/qwen.js";
import { makeWorkspace, writeText, type Workspace } from "../real-cli/workspace.js";
import { DAY } from "./day-requests.js";

/** Where the requests of the day say that the project is, and where recordings say it. */
const WRITTEN_PLACE = "/home/ara/project";
export const RECORDED_PLACE = "/srv/proj";

type KeptPrompt = Pick<
  PromptEvent,
  "promptType" | "confidence" | "safetyClass" | "excerpt" | "choices" | "constraints" | "content" | "sources"
>;

export interface RecordedDay {
  readonly tool: string;
  readonly version: string;
  readonly calls: number;
  readonly asked: readonly KeptPrompt[];
}

/** How one real tool is started before a fake model, and how its model calls what the day names. */
export interface DayTool {
  readonly name: string;
  readonly version: string;
  readonly runtime: "acp" | "headless";
  readonly install: () => Promise<Installed>;
  readonly prepare: (parts: {
    readonly modules: string;
    readonly modelUrl: string;
    readonly workspace: Workspace;
  }) => ToolCommand;
  readonly toCall: (tool: string, input: Readonly<Record<string, string>>) => ToolCall;
  /** How a prompt of the tool reports what the model called; null: not at all. */
  readonly toReport: (call: ToolCall) => { readonly tool: string; readonly input: object } | null;
}

const sameReport: DayTool["toReport"] = ({ name, input }) => ({ tool: name, input });

const claudeCall: DayTool["toCall"] = (name, input) => ({
  name,
  input: name === "Bash" ? { ...input, description: "as asked" } : input,
});

const opencodeCall: DayTool["toCall"] = (name, input) => {
  const { command, file_path: filePath, old_string: oldString, new_string: newString, ...others } = input;
  if (command !== undefined) return bash(command);
  const file = filePath === undefined ? {} : { filePath };
  const edit = oldString === undefined ? {} : { oldString, newString };
  return { name: name.toLowerCase(), input: { ...file, ...edit, ...others } };
};

const GEMINI_NAMES: Readonly<Record<string, string>> = {
  Read: "read_file",
  Glob: "glob",
  Grep: "grep_search",
  Write: "write_file",
};

/** Over its protocol qwen reports the kind of a call in the place of its name. */
const QWEN_KINDS: Readonly<Record<string, string>> = {
  run_shell_command: "execute",
  read_file: "read",
  glob: "search",
  grep_search: "search",
  write_file: "edit",
  edit: "edit",
};

/** Qwen is a descendant of gemini and has kept most names. */
const geminiCall =
  (shell: (command: string) => ToolCall, edit: string): DayTool["toCall"] =>
  (name, input) => {
    const { command } = input;
    if (command !== undefined) return shell(command);
    if (name === "Edit") return { name: edit, input };
    return { name: GEMINI_NAMES[name] ?? name, input };
  };

/** What a model asks to run outside of codex's sandbox: it needs the network, or writes where the sandbox lets nothing be written. */
const OUTSIDE = /^(?:npm install|git (?:add|commit|push))/;

/** Codex has a shell and patches and nothing else: it reads and searches by commands. What its sandbox permits it runs unasked. */
const codexCall: DayTool["toCall"] = (name, { command, file_path: path = "", pattern = "", ...others }) => {
  if (command !== undefined) return OUTSIDE.test(command) ? exec(command) : sandboxed(command);
  if (name === "Read") return sandboxed(`cat ${path}`);
  if (name === "Grep") return sandboxed(`rg -n ${pattern} ${others["path"] ?? "."}`);
  if (name === "Glob") return sandboxed(`rg --files -g '${pattern}'`);
  if (name === "Write") return patch(`*** Add File: ${path}`, `+${others["content"] ?? ""}`);
  return patch(
    `*** Update File: ${path}`,
    "@@",
    `-${others["old_string"] ?? ""}`,
    `+${others["new_string"] ?? ""}`,
  );
};

export const DAY_TOOLS: readonly DayTool[] = [
  {
    name: "claude",
    version: CLAUDE_VERSION,
    runtime: "headless",
    install: () => installClaude(),
    prepare: ({ modules, modelUrl, workspace }) => prepareClaude({ modules, apiUrl: modelUrl, workspace }),
    toCall: claudeCall,
    toReport: sameReport,
  },
  {
    name: "opencode",
    version: opencode.version,
    runtime: "headless",
    install: () => opencode.install(),
    prepare: (setting) => opencode.prepare(setting, { permission: {} }),
    toCall: opencodeCall,
    toReport: sameReport,
  },
  {
    name: "codex",
    version: codex.version,
    runtime: "headless",
    install: () => codex.install(),
    prepare: (setting) => codex.prepare(setting, {}),
    toCall: codexCall,
    toReport: ({ name, input }) => {
      if (!("cmd" in input)) return { tool: name, input };
      return { tool: "shell", input: { command: `/bin/bash -lc ${quoteShellWord(String(input.cmd))}` } };
    },
  },
  {
    name: "gemini",
    version: gemini.version,
    runtime: "acp",
    install: () => gemini.install(),
    prepare: (setting) => gemini.prepare(setting, { args: ["--acp"] }),
    toCall: geminiCall(geminiShell, "replace"),
    toReport: () => null,
  },
  {
    name: "qwen",
    version: qwen.version,
    runtime: "acp",
    install: () => qwen.install(),
    prepare: (setting) => qwen.prepare(setting, { args: ["--acp"] }),
    toCall: geminiCall(qwenShell, "edit"),
    toReport: ({ name, input }) => ({ tool: QWEN_KINDS[name] ?? "other", input }),
  },
];

/** Questions and plans are no calls that run something; every tool has its own way to them. */
const CALLED = DAY.filter(({ safetyClass }) => safetyClass === "permission");

function playDay({ toCall }: DayTool): Scenario {
  return ({ cwd }) => {
    const calls = CALLED.map(({ content }) => {
      const text = JSON.stringify(content.call?.input).replaceAll(WRITTEN_PLACE, cwd);
      return toCall(content.call?.tool ?? "", JSON.parse(text) as Record<string, string>);
    });
    return [...calls.map((call) => ({ text: "Next.", tools: [call] })), { text: "All done." }];
  };
}

/** What the day reads and edits; and programs that would leave the workspace do nothing. Returns the folder of those programs. */
function furnish({ cwd, home }: Workspace): string {
  for (const file of [
    "src/server.ts",
    "CHANGELOG.md",
    "README.md",
    "package.json",
    "tests/log.test.ts",
    ".env",
  ])
    writeText(join(cwd, file), "a\n");
  const programs = join(home, "stubs");
  mkdirSync(programs, { recursive: true });
  for (const name of ["npm", "npx"]) {
    writeFileSync(join(programs, name), "#!/bin/sh\necho done\n");
    chmodSync(join(programs, name), 0o755);
  }
  return programs;
}

/** Errors: where the tool cannot be installed here, with the reason. */
export async function recordDay(tool: DayTool): Promise<RecordedDay> {
  const installed = await tool.install();
  if (!installed.ok) throw new Error(installed.reason);
  const workspace = makeWorkspace();
  const programs = furnish(workspace);
  const model = await FakeModel.start({ scenarios: { day: playDay(tool) }, cwd: workspace.cwd });
  try {
    const command = tool.prepare({ modules: installed.modules, modelUrl: model.url, workspace });
    const env = { ...command.env, PATH: `${programs}:${command.env["PATH"] ?? ""}` };
    const open = tool.runtime === "acp" ? spoken : driven;
    const session = await open(tool.name, { ...command, env });
    try {
      await session.adapter.ready;
      const over = session.adapter.prompt("please [[day]]");
      const asked = await allowAll(session, over);
      const { length } = model.toolResults("day");
      if (length !== CALLED.length)
        throw new Error(`${tool.name}: ${length} of ${CALLED.length} calls ended`);
      const day = { tool: tool.name, version: tool.version, calls: length, asked };
      return scrubbed(day, { [workspace.cwd]: RECORDED_PLACE, [workspace.home]: "/home/dev" });
    } finally {
      await session.dispose();
    }
  } finally {
    await model.close();
    await workspace.dispose();
  }
}

async function allowAll(
  { adapter, next }: Awaited<ReturnType<typeof driven>>,
  over: Promise<unknown>,
): Promise<KeptPrompt[]> {
  const asked: KeptPrompt[] = [];
  const end = over.then(() => null);
  for (;;) {
    const step = await Promise.race([next("raised"), end]);
    if (step?.kind !== "raised") return asked;
    const { event } = step;
    asked.push(keep(event));
    const value = findYes(event);
    if (value === null) throw new Error(`it offers no yes: ${JSON.stringify(event.choices)}`);
    const result = await adapter.injectReply(replyTo(event, value), granted);
    if (result.kind === "refused") throw new Error(result.rejection.text);
  }
}

function keep(event: PromptEvent): KeptPrompt {
  const { promptType, confidence, safetyClass, excerpt, choices, constraints, content, sources } = event;
  return { promptType, confidence, safetyClass, excerpt, choices, constraints, content, sources };
}

const place = (tool: string): string => join("tests/fixtures/recorded-days", `${tool}.json`);

/** What is kept of the tool's day; `day` is kept itself where nothing is, or with `UPDATE_EXCHANGES=1`. */
export function keptDay(tool: string, day?: RecordedDay): RecordedDay {
  const file = place(tool);
  if (day !== undefined)
    keepIfWanted(file, () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify(day, null, 1)}\n`);
    });
  if (!existsSync(file)) throw new Error(`${file} is not there: npm run test:real -- tests/real/day.test.ts`);
  return JSON.parse(readFileSync(file, "utf8")) as RecordedDay;
}

/** A kept prompt as the hub gets it. */
export function asEvent(prompt: KeptPrompt): PromptEvent {
  return promptEvent({ ...prompt });
}
