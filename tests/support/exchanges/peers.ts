/** The real agents whose exchanges are kept: how each is started before a fake model, and what happens with it. */
import { LEFT_OUT } from "../../../src/model/answer/form.js";
import { exec as codexShell, patch } from "../corpus/codex/moves.js";
import { shell as geminiShell, write as geminiWrite } from "../corpus/gemini/moves.js";
import { bash as opencodeShell } from "../corpus/opencode/moves.js";
import { shell as qwenShell } from "../corpus/qwen/moves.js";
import { database, features, region, type Question } from "../corpus/shared/questions.js";
import type { Scenario, ScenarioContext, Step, ToolCall } from "../fake-model/script.js";
import { CLAUDE_VERSION, installClaude, prepareClaude } from "../real-cli/claude.js";
import { codex } from "../real-cli/codex.js";
import { copilot } from "../real-cli/copilot.js";
import { gemini } from "../real-cli/gemini.js";
import { opencode } from "../real-cli/opencode.js";
import { claudeAgentAcp, codexAcp } from "../real-cli/protocol-agents.js";
import { qwen } from "../real-cli/qwen.js";
import type { RealTool } from "../real-cli/tool.js";
import type { Turn } from "./conduct.js";

export interface Situation extends Omit<Turn, "task"> {
  readonly name: string;
  readonly about: string;
  readonly model: Scenario;
}

export interface Peer {
  readonly name: string;
  readonly tool: RealTool;
  readonly runtime: "acp" | "headless";
  readonly args: readonly string[];
  readonly situations: readonly Situation[];
}

const steps =
  (...made: readonly Step[]): Scenario =>
  () => [...made, { text: "All done." }];
const calls = (...tools: readonly ToolCall[]): Scenario => steps({ text: "I will see to it.", tools });
const call = (name: string, input: object): ToolCall => ({ name, input });

export const AT_ONCE = "two-at-once";

/** What every agent asks: may it run this. */
function permissions(shell: (command: string) => ToolCall): readonly Situation[] {
  const one = calls(shell("touch made.txt"));
  const two = calls(shell("touch first.txt"), shell("touch second.txt"));
  return [
    { name: "allowed", about: "A command, allowed once", answers: ["allow_once"], model: one },
    { name: "refused", about: "A command, refused", answers: ["reject_once"], model: one },
    { name: "cancelled", about: "The turn is stopped while it asks", answers: ["cancel"], model: one },
    {
      name: AT_ONCE,
      about: "Two commands at once: one allowed, one refused",
      answers: ["allow_once", "reject_once"],
      model: two,
    },
  ];
}

/** Asked once, for two calls. */
function forGood(first: ToolCall, second: ToolCall): Situation {
  return {
    name: "allowed-for-good",
    about: "A call, allowed for good, and another of its kind",
    answers: ["allow_always"],
    model: steps({ text: "First.", tools: [first] }, { text: "Again.", tools: [second] }),
  };
}

const single = (of: Question): object => ({ ...of, multiSelect: false });
const PLAN = "# Plan\n\n1. Add a helper in `src/retry.ts`\n2. Wire it in";

const claudeShell = (command: string): ToolCall => call("Bash", { command, description: "As asked" });
const claudeWrite = (path: string): ToolCall => call("Write", { file_path: path, content: "one\n" });
const claudeAsks = (...questions: readonly object[]): Scenario =>
  calls(call("AskUserQuestion", { questions }));
const claudePlans = ({ planFile }: ScenarioContext): readonly Step[] => [
  ...(planFile === null ? [] : [{ tools: [call("Write", { file_path: planFile, content: PLAN })] }]),
  { text: "Here is my plan.", tools: [call("ExitPlanMode", { plan: PLAN })] },
  { text: "All done." },
];
const claudeQuestions = (one: object | number, two: object): readonly Situation[] => [
  {
    name: "question",
    about: "A question, answered with an option",
    answers: [{ value: JSON.stringify(one) }],
    model: claudeAsks(single(database)),
  },
  {
    name: "questions",
    about: "Two questions, one of them with several answers",
    answers: [{ value: JSON.stringify(two) }],
    model: claudeAsks(single(database), { ...features, multiSelect: true }),
  },
];

const codexAsks = (...questions: readonly Question[]): Scenario =>
  calls(call("request_user_input", { questions: questions.map((each) => ({ id: each.header, ...each })) }));

const claude: RealTool = {
  name: "claude",
  version: CLAUDE_VERSION,
  install: installClaude,
  prepare: ({ modules, modelUrl, workspace }) => prepareClaude({ modules, apiUrl: modelUrl, workspace }),
};

/** Its model may ask outside of its plan mode only where its settings say so; and it may write below `/tmp` as it likes. */
const askingCodex: RealTool = {
  ...codex,
  prepare: (setting) =>
    codex.prepare(setting, {
      tables: [
        "[features]",
        "default_mode_request_user_input = true",
        "[sandbox_workspace_write]",
        "exclude_slash_tmp = true",
        "exclude_tmpdir_env_var = true",
      ],
    }),
};

const qwenAsks = (...questions: readonly object[]): Scenario =>
  calls(call("ask_user_question", { questions }));

const copilotShell = (command: string): ToolCall =>
  call("bash", { command, description: "As asked", sessionId: "main", async: false });

export const PEERS: readonly Peer[] = [
  {
    name: "claude-agent-acp",
    tool: claudeAgentAcp,
    runtime: "acp",
    args: [],
    situations: [
      ...permissions(claudeShell),
      {
        name: "allowed-for-good",
        about: "A change to a file, allowed for good, and another",
        answers: ["allow_always"],
        model: ({ cwd }) => [
          { text: "First.", tools: [claudeWrite(`${cwd}/first.txt`)] },
          { text: "Again.", tools: [claudeWrite(`${cwd}/second.txt`)] },
          { text: "All done." },
        ],
      },
      ...claudeQuestions(
        { question_0: "SQLite", question_0_custom: LEFT_OUT },
        {
          question_0: "SQLite",
          question_0_custom: "with a backup",
          question_1: ["Auth", "Search"],
          question_1_custom: LEFT_OUT,
        },
      ),
      {
        name: "plan",
        about: "A plan, taken",
        set: "mode plan",
        answers: [{ value: "1" }],
        model: claudePlans,
      },
    ],
  },
  {
    name: "codex-acp",
    tool: codexAcp,
    runtime: "acp",
    args: [],
    situations: [
      ...permissions(codexShell),
      forGood(codexShell("touch made.txt"), codexShell("touch made.txt")),
      {
        name: "change",
        about: "A change to a file, allowed once",
        set: "mode read-only",
        answers: ["allow_once"],
        model: calls(patch("*** Add File: made.txt", "+one")),
      },
      {
        name: "question",
        about: "A question, answered with an option",
        set: "collaboration_mode plan",
        answers: [{ value: JSON.stringify({ Database: "SQLite", Database_note: LEFT_OUT }) }],
        model: codexAsks(database),
      },
    ],
  },
  {
    name: "gemini",
    tool: gemini,
    runtime: "acp",
    args: ["--acp"],
    situations: [
      ...permissions(geminiShell),
      forGood(geminiShell("touch made.txt"), geminiShell("touch more.txt")),
      {
        name: "plan",
        about: "A plan, taken",
        set: "mode plan",
        answers: [{ value: "1" }],
        model: steps(
          { tools: [geminiWrite("plan.md", PLAN)] },
          { tools: [call("exit_plan_mode", { plan_filename: "plan.md" })] },
        ),
      },
    ],
  },
  {
    name: "opencode",
    tool: opencode,
    runtime: "acp",
    args: ["acp"],
    situations: [
      ...permissions(opencodeShell),
      forGood(opencodeShell("touch made.txt"), opencodeShell("touch more.txt")),
      {
        name: "change",
        about: "A change to a file, allowed once",
        answers: ["allow_once"],
        model: ({ cwd }) => [
          { tools: [call("read", { filePath: `${cwd}/app.py` })] },
          {
            tools: [call("edit", { filePath: `${cwd}/app.py`, oldString: "pass", newString: "return" })],
          },
          { text: "All done." },
        ],
      },
    ],
  },
  {
    name: "qwen",
    tool: qwen,
    runtime: "acp",
    args: ["--acp"],
    situations: [
      ...permissions(qwenShell),
      forGood(qwenShell("touch made.txt"), qwenShell("touch more.txt")),
      {
        name: "question",
        about: "A question, answered with an option",
        answers: [{ value: "2" }],
        model: qwenAsks(single(region)),
      },
      {
        name: "questions",
        about: "Two questions, one answered in own words, one with several answers",
        answers: [{ value: JSON.stringify({ Region: "Asia", Features: ["Auth", "Search"] }) }],
        model: qwenAsks(single(region), { ...features, multiSelect: true }),
      },
      {
        name: "declined",
        about: "A question, declined",
        answers: ["reject_once"],
        model: qwenAsks(single(region)),
      },
      {
        name: "plan",
        about: "A plan, taken",
        set: "mode plan",
        answers: [{ value: "1" }],
        model: calls(call("exit_plan_mode", { plan: PLAN })),
      },
    ],
  },
  {
    name: "copilot",
    tool: copilot,
    runtime: "acp",
    args: ["--acp"],
    situations: [
      ...permissions(copilotShell),
      forGood(copilotShell("touch made.txt"), copilotShell("touch made.txt")),
      {
        name: "change",
        about: "A new file, allowed once",
        answers: ["allow_once"],
        model: ({ cwd }) => [
          { tools: [call("create", { path: `${cwd}/made.txt`, file_text: "one\n" })] },
          { text: "All done." },
        ],
      },
    ],
  },
  {
    name: "claude-exec",
    tool: claude,
    runtime: "headless",
    args: [],
    situations: [
      ...permissions(claudeShell),
      forGood(claudeShell("touch made.txt"), claudeShell("touch made.txt")),
      {
        name: "refused-with-reason",
        about: "A command, refused with a reason",
        answers: [{ value: "3", text: "not here" }],
        model: calls(claudeShell("touch made.txt")),
      },
      ...claudeQuestions(2, { Database: "SQLite", Features: ["Auth", "Search"] }),
      {
        name: "plan",
        about: "A plan, taken",
        answers: [{ value: "1" }],
        model: (context) => [{ tools: [call("EnterPlanMode", {})] }, ...claudePlans(context)],
      },
    ],
  },
  {
    name: "codex-exec",
    tool: askingCodex,
    runtime: "headless",
    args: [],
    situations: [
      ...permissions(codexShell),
      forGood(codexShell("touch made.txt"), codexShell("touch made.txt")),
      {
        name: "refused-with-reason",
        about: "A command, refused with a reason",
        answers: [{ value: "3", text: "not here" }],
        model: calls(codexShell("touch made.txt")),
      },
      {
        name: "change",
        about: "A change to a file outside of its sandbox, allowed once",
        answers: ["allow_once"],
        model: calls(patch("*** Add File: ../made.txt", "+one")),
      },
      {
        name: "question",
        about: "A question, answered with an option",
        answers: [{ value: "2" }],
        model: codexAsks(database),
      },
    ],
  },
];
