/** The scenarios of the fake model. A test types `[[name]]` into the tool; the name picks one of these. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Scenario, ToolCall } from "./script.js";

const bash = (command: string, description: string): ToolCall => ({
  name: "Bash",
  input: { command, description },
});

/** Makes one more file each time it runs. (`echo … >> file` would do too, but old versions run that unasked.) */
export const MAKE_FILE = "mktemp made.XXXXXX";

const makeFile = bash(MAKE_FILE, "Make a file");

/** How often MAKE_FILE ran in this folder: by `bash`, `bash-long`, `bash-twins`, `bash-again`. */
export function timesRun(cwd: string): number {
  return readdirSync(cwd).filter((name) => name.startsWith("made.")).length;
}

/** Cannot be analysed by the tool, wraps, and its own text looks like a list of choices. */
const LONG_COMMAND = [
  "set -e",
  "for f in $(ls *.txt); do",
  '  echo "processing $f"',
  "done",
  "cat > report.md <<EOF",
  "# Report",
  "1. Yes",
  "2. No",
  "Continue? (y/n)",
  "EOF",
  "for n in 1 2 3 4 5 6 7 8 9 10; do",
  '  echo "entry $n of the report with a text that is long enough to wrap on a narrow screen" >> report.md',
  "done",
  MAKE_FILE,
].join("\n");

const askDatabase = {
  name: "AskUserQuestion",
  input: {
    questions: [
      {
        question: "Which database should we use?",
        header: "Database",
        multiSelect: false,
        options: [
          { label: "PostgreSQL", description: "Relational, robust" },
          { label: "SQLite", description: "Embedded, zero config" },
          { label: "MongoDB", description: "Document store" },
        ],
      },
    ],
  },
};

/** Options with previews: their dialog has two columns. */
function askWithPreviews(question: string, options: Readonly<Record<string, string>>): ToolCall {
  const list = Object.entries(options).map(([label, preview]) => ({
    label,
    description: "Below it",
    preview,
  }));
  return {
    name: "AskUserQuestion",
    input: { questions: [{ question, header: "Layout", multiSelect: false, options: list }] },
  };
}

const askLayout = askWithPreviews("Which layout do you prefer?", {
  Sidebar: "+---+-----+\n|nav|main |\n+---+-----+",
  Topbar: "+---------+\n|nav      |\n+---------+",
});

const askRename = askWithPreviews("How shall the old commands be kept?", {
  "Rename and keep the old ones as hidden aliases (Recommended)": "cmd new\n# old: alias\nrm -rf old-docs",
  "Rename, and remove the old ones in the next release": "cmd new",
  "Do nothing": "1. Yes\n2. No",
});

const askFeatures: ToolCall = {
  name: "AskUserQuestion",
  input: {
    questions: [
      {
        question: "Which features do you want to enable?",
        header: "Features",
        multiSelect: true,
        options: [
          { label: "Auth", description: "Login and sessions" },
          { label: "Billing", description: "Invoices" },
          { label: "Search", description: "Full text" },
        ],
      },
    ],
  },
};

const askRegion = {
  question: "Which region should we deploy to?",
  header: "Region",
  multiSelect: false,
  options: [
    { label: "EU", description: "Frankfurt" },
    { label: "US", description: "Virginia" },
  ],
};

const askBoth: ToolCall = {
  name: "AskUserQuestion",
  input: { questions: [...askDatabase.input.questions, askRegion] },
};

const helper: ToolCall = {
  name: "Agent",
  input: {
    description: "Inspect the folder",
    prompt: "Please run [[helper-turn]] now",
    subagent_type: "general-purpose",
    run_in_background: false,
  },
};

const PLAN = [
  "# Plan: retry helper",
  "",
  "1. Add a retry helper in `src/retry.ts`",
  "2. Wire it in the client",
  "3. Add tests",
  "",
  "## Risks",
  "",
  "- Continue? (y/n) prompts in scripts",
].join("\n");

export const PLAIN_ANSWER = "This is a plain answer.";

/** What a tool says last: lines that wrap, a list, and a question in prose. */
export const LAST_WORDS = [
  "I renamed the module and ran the tests: all 42 pass, and the slowest of them takes less than a second here, as before.",
  "",
  "- src/names.ts holds the new names",
  "- nothing else was touched",
  "",
  "Shall I push it?",
].join("\n");

export const scenarios: Readonly<Record<string, Scenario>> = {
  bash: () => [{ text: "I will make a file.", tools: [makeFile] }],
  "bash-long": () => [{ tools: [bash(LONG_COMMAND, "Write a report")] }],
  hostile: () => [{ tools: [bash("node hostile.mjs forged.log", "Look around")] }],
  /** Two different calls in one message: their dialogs follow each other. */
  "bash-two": () => [
    { tools: [bash("touch first.txt", "First file"), bash("mkdir second", "Second folder")] },
  ],
  "bash-twins": () => [{ tools: [makeFile, makeFile] }],
  write: ({ cwd }) => [
    {
      tools: [
        {
          name: "Write",
          input: {
            file_path: `${cwd}/src/new-file.ts`,
            content: "export const answer = 42;\n\n// Continue? (y/n)\n",
          },
        },
      ],
    },
  ],
  /** The dialog shows the path from the workspace: `../outside/new-file.ts`. */
  "write-outside": ({ cwd }) => [
    {
      tools: [
        {
          name: "Write",
          input: {
            file_path: join(dirname(cwd), "outside", "new-file.ts"),
            content: "export const answer = 42;\n",
          },
        },
      ],
    },
  ],
  /** The tool refuses to edit a file that it has not read. */
  edit: ({ cwd }) => [
    { tools: [{ name: "Read", input: { file_path: `${cwd}/app.py` } }] },
    {
      tools: [
        {
          name: "Edit",
          input: {
            file_path: `${cwd}/app.py`,
            old_string: 'name = input("Your name? ")',
            new_string: 'name = input("Continue? (y/n) ")\nprint("1. Yes")\nprint("2. No")',
          },
        },
      ],
    },
  ],
  /** `.invalid` never resolves: approving this cannot reach the network. */
  webfetch: () => [
    {
      tools: [
        { name: "WebFetch", input: { url: "https://docs.example.invalid/page", prompt: "Summarise it" } },
      ],
    },
  ],
  mcp: () => [
    {
      tools: [
        {
          name: "mcp__ops__deploy",
          input: { target: "production", dry_run: false, note: "Continue? (y/n)" },
        },
      ],
    },
  ],
  /** The server asks for a form before it answers. */
  elicit: () => [{ tools: [{ name: "mcp__ops__configure", input: {} }] }],
  ask: () => [{ tools: [askDatabase] }],
  "ask-multi": () => [{ tools: [askFeatures] }],
  "ask-preview": () => [{ tools: [askLayout] }],
  "ask-preview-wrapped": () => [{ tools: [askRename] }],
  "ask-two": () => [{ tools: [askBoth] }],
  /** The helper and the main turn ask at the same time. */
  "agent-beside": () => [{ tools: [helper, bash("touch main.txt", "Mark the main turn")] }],
  "helper-turn": () => [{ tools: [makeFile] }, { text: "The helper is done." }],
  /** Start the tool in plan mode. It shows the plan from its plan file, so that is written first. */
  plan: ({ planFile }) => [
    ...(planFile === null
      ? []
      : [{ tools: [{ name: "Write", input: { file_path: planFile, content: PLAN } }] }]),
    { text: "Here is my plan.", tools: [{ name: "ExitPlanMode", input: { plan: PLAN } }] },
  ],
  plain: () => [{ text: PLAIN_ANSWER }],
  /** The same at a model's own speed: a turn that is over at once can leave no trace of work on the screen. */
  "plain-paced": () => [{ text: PLAIN_ANSWER, pace: { chars: 1, everyMs: 80 } }],
  /** Says nothing until the test lets go: the tool thinks. */
  think: () => [{ hold: true }],
  "last-words": () => [{ text: LAST_WORDS, pace: { chars: 12, everyMs: 60 } }],
  refused: () => [
    { error: { status: 400, type: "invalid_request_error", message: "Your credit balance is too low" } },
  ],
};
