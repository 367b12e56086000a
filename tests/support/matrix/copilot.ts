/** What copilot asks, and what each choice does there. */
import type { Step } from "../fake-model/script.js";
import { bash, withMcp } from "../corpus/copilot/moves.js";
import { copilot, type CopilotOptions } from "../real-cli/copilot.js";
import { answer, deployed, FILE, wroteFile } from "./common.js";
import {
  allowed,
  denied,
  ended,
  left,
  MAKE_FILE,
  ran,
  REASON,
  refusedFor,
  remembered,
  told,
  wrote,
} from "./effects.js";
import type { Effect, MatrixChoice, MatrixDialog, MatrixTool } from "./matrix.js";

const options = (more: CopilotOptions): CopilotOptions => more;

/** Its row takes a reason; without one Esc says no. */
function no(...checks: readonly Effect[]): MatrixChoice[] {
  const label = "No, and tell Copilot";
  return [
    { label, effect: denied(...checks) },
    { label, words: REASON, effect: refusedFor(...checks) },
  ];
}

const command: MatrixDialog = {
  name: "command",
  model: [{ text: "I will make a file.", tools: [bash(MAKE_FILE)] }],
  question: /Do you want to run this command\?/,
  choices: [
    { label: "Yes", effect: allowed(ran(1)) },
    { label: "Yes, and don't ask again", effect: remembered(ran(2)) },
    ...no(ran(0)),
  ],
};

const edits: MatrixDialog = {
  name: "create",
  model: (cwd) => [
    {
      tools: [
        {
          name: "create",
          input: { path: `${cwd}/${FILE}`, file_text: "hello\nContinue? (y/n)\n" },
        },
      ],
    },
  ],
  question: /Do you want to create/,
  choices: [
    { label: "Yes", effect: allowed(wroteFile) },
    { label: "Yes, and don't ask again", effect: allowed(wroteFile) },
    ...no(left(FILE, "hello")),
  ],
};

const url: MatrixDialog = {
  name: "url",
  model: [{ tools: [bash("curl -s --max-time 2 https://docs.example.invalid/page; true")] }],
  question: /Do you want to allow this access\?/,
  choices: [
    // The command itself is asked about next.
    { label: "Yes", then: ["Yes"], effect: told(/./) },
    { label: "Yes, and approve all URLs", then: ["Yes, and don't ask again"], effect: remembered() },
    ...no(),
  ],
};

const path: MatrixDialog = {
  name: "path",
  model: [{ tools: [{ name: "view", input: { path: "/etc/hostname" } }] }],
  question: /Do you want to allow this\?/,
  choices: [
    { label: "Yes", effect: told(/./) },
    { label: "Yes, and remember this path", effect: remembered() },
    { label: "Yes, allow file-tool read-only", effect: remembered() },
    { label: "No (Esc)", effect: denied() },
  ],
};

const mcp: MatrixDialog = {
  name: "mcp",
  options: options(withMcp.options),
  model: [{ tools: [{ name: "ops-deploy", input: { target: "production", dry_run: false } }] }],
  question: /Do you want to use this tool\?/,
  choices: [
    { label: "Yes", effect: told("deployed") },
    { label: "Yes, and don't ask again", effect: remembered(deployed) },
    ...no(),
  ],
};

const asks = (message: string, name: string, field: object): readonly Step[] => [
  {
    tools: [
      {
        name: "ask_user",
        input: {
          message,
          requestedSchema: { type: "object", properties: { [name]: field }, required: [name] },
        },
      },
    ],
  },
];

const question: MatrixDialog = {
  name: "question",
  model: asks("Which database should we use?", "database", {
    type: "string",
    title: "Database",
    enum: ["PostgreSQL", "SQLite", "MongoDB"],
  }),
  question: /Which database should we use\?/,
  choices: [
    answer("PostgreSQL"),
    answer("SQLite"),
    answer("MongoDB"),
    { label: "Other", words: "MariaDB, please", effect: told("MariaDB, please") },
  ],
};

const sure: MatrixDialog = {
  name: "yes or no",
  model: asks("Shall the old reports be deleted?", "sure", {
    type: "boolean",
    title: "Delete",
    default: false,
  }),
  question: /Shall the old reports be deleted\?/,
  choices: [
    { label: "Yes", effect: told(/true|Yes/) },
    { label: "No", effect: told(/false|No/) },
  ],
};

const planned: MatrixDialog = {
  name: "plan",
  options: options({ args: ["--mode", "plan"] }),
  model: [
    {
      tools: [
        {
          name: "exit_plan_mode",
          input: {
            summary: "- Add a helper in `src/retry.ts`\n- Wire it in\n",
            actions: ["interactive", "autopilot", "exit_only"],
            recommendedAction: "interactive",
          },
        },
      ],
    },
  ],
  // In the narrowest terminal its title has left the screen above.
  question: /Plan Ready for Review|Wire it in/,
  choices: [
    { label: "Accept plan and continue in Interactive", effect: told(/approv|accept/i) },
    // Whether it may do so unasked is asked about next.
    {
      label: "Accept plan and continue in Autopilot",
      then: ["Enable all permissions"],
      effect: told(/approv|accept/i),
    },
    { label: "Exit to Interactive", effect: told(/./) },
    { label: "Suggest changes", words: REASON, effect: told("mkdir") },
  ],
};

const autopilot: MatrixDialog = {
  name: "autopilot",
  options: options({ args: ["--mode", "autopilot"] }),
  model: [{ text: "I will make a file.", tools: [bash(MAKE_FILE)] }],
  question: /Autopilot execution works best/,
  choices: [
    { label: "Enable all permissions", effect: allowed(ran(1)) },
    { label: "Use Manual Approval", effect: (session) => session.composer(), leaves: true },
    { label: "Cancel", effect: (session) => session.composer() },
  ],
};

const CONFIG = "~/.copilot/config.json";
const REMEMBERED = "trustedFolders";
const trusted: Effect = async (session) => {
  await session.composer();
  await left(CONFIG, REMEMBERED)(session);
};

const trust: MatrixDialog = {
  name: "trust",
  options: { trusted: false },
  question: /Do you trust the files in this folder\?/,
  choices: [
    { label: "Yes", effect: trusted },
    { label: "Yes, and remember", effect: wrote(CONFIG, REMEMBERED) },
    { label: "No (Esc)", effect: ended, leaves: true },
  ],
};

export const copilotMatrix: MatrixTool = {
  tool: copilot,
  composer: /^❯/m,
  dialogs: [command, edits, url, path, mcp, question, sure, planned, autopilot, trust],
  left: { "sign-in": "an account is signed in to in a browser" },
};
