/** What qwen asks, and what each choice does there. */
import { MCP_SERVER } from "../corpus/mcp-command.js";
import { shell } from "../corpus/qwen/moves.js";
import { qwen, type QwenOptions } from "../real-cli/qwen.js";
import { answer, DATABASE, deployed, FILE, wroteFile } from "./common.js";
import {
  allowed,
  denied,
  deniedFor,
  left,
  MAKE_FILE,
  ran,
  REASON,
  remembered,
  told,
  wrote,
} from "./effects.js";
import type { Effect, MatrixDialog, MatrixTool } from "./matrix.js";

const CTRL_U = "\u0015";

const options = (more: QwenOptions): QwenOptions => more;

const command: MatrixDialog = {
  name: "command",
  model: [{ text: "I will make a file.", tools: [shell(MAKE_FILE)] }],
  question: /Allow execution of: 'mktemp'\?/,
  choices: [
    { label: "Yes, allow once", effect: allowed(ran(1)) },
    // In the narrowest terminal both rows begin alike and end before they differ.
    { label: "Always allow run 'mktemp *' com", effect: remembered(ran(2)) },
    { label: "No, suggest changes", effect: denied(ran(0)) },
    { label: "No, suggest changes", words: REASON, effect: deniedFor(ran(0)) },
  ],
};

const auto: MatrixDialog = {
  name: "auto",
  options: options({ approvalMode: "auto" }),
  model: [{ text: "I will make a file.", tools: [shell(MAKE_FILE)] }],
  question: /Allow execution of: 'mktemp'\?/,
  choices: [
    { label: "Yes, allow once", effect: allowed(ran(1)) },
    { label: "Switch to Default Mode and", effect: allowed(ran(1)) },
    { label: "No, suggest changes", effect: denied(ran(0)) },
    { label: "No, suggest changes", words: REASON, effect: deniedFor(ran(0)) },
  ],
};

const edits: MatrixDialog = {
  name: "write",
  model: (cwd) => [
    {
      tools: [
        { name: "write_file", input: { file_path: `${cwd}/${FILE}`, content: "hello\nContinue? (y/n)\n" } },
      ],
    },
  ],
  question: /Apply this change\?/,
  choices: [
    { label: "Yes, allow once", effect: allowed(wroteFile) },
    { label: "Yes, allow always", effect: remembered(wroteFile) },
    { label: "No, suggest changes", effect: denied(left(FILE, "hello")) },
    { label: "No, suggest changes", words: REASON, effect: deniedFor(left(FILE, "hello")) },
  ],
};

const mcp: MatrixDialog = {
  name: "mcp",
  options: options({ settings: { mcpServers: { ops: MCP_SERVER } } }),
  model: [{ tools: [{ name: "mcp__ops__deploy", input: { target: "production", dry_run: false } }] }],
  question: /Allow execution of MCP tool "deploy"/,
  choices: [
    { label: "Yes, allow once", effect: told("deployed") },
    { label: "Always allow mcp__ops__deploy", effect: remembered(deployed) },
    { label: "No, suggest changes", effect: denied() },
  ],
};

const question: MatrixDialog = {
  name: "question",
  model: [
    { tools: [{ name: "ask_user_question", input: { questions: [{ ...DATABASE, multiSelect: false }] } }] },
  ],
  question: /Which database should we use\?/,
  choices: [
    answer("PostgreSQL"),
    answer("SQLite"),
    answer("MongoDB"),
    { label: "Type something", words: "MariaDB, please", effect: told("MariaDB, please") },
  ],
};

const PLAN = "# Retry helper\n\n1. Add a helper in `src/retry.ts`\n2. Wire it in\n";
const plan: MatrixDialog = {
  name: "plan",
  options: options({ approvalMode: "plan" }),
  model: [{ tools: [{ name: "exit_plan_mode", input: { plan: PLAN } }] }],
  question: /Would you like to proceed\?/,
  choices: [
    { label: "Yes, restore previous mode", effect: told(/approv/i) },
    { label: "Yes, and auto-accept", effect: told(/approv/i) },
    { label: "Yes, and manually approve", effect: told(/approv/i) },
    { label: "No, keep planning", effect: denied() },
  ],
};

const trust: MatrixDialog = {
  name: "trust",
  options: { trusted: false },
  question: /Do you trust this folder\?/,
  choices: [
    { label: "Trust folder", effect: trusts("TRUST_FOLDER"), leaves: true },
    { label: "Trust parent folder", effect: trusts("TRUST_PARENT"), leaves: true },
    { label: "Don't trust", effect: trusts("DO_NOT_TRUST") },
  ],
};

function trusts(level: string): Effect {
  return wrote("~/.qwen/trustedFolders.json", level);
}

export const qwenMatrix: MatrixTool = {
  tool: qwen,
  composer: /Type your\s+message/,
  emptiedBy: CTRL_U,
  dialogs: [command, auto, edits, mcp, question, plan, trust],
  left: {
    "sign-in": "an account is signed in to in a browser, and keys are typed at the terminal only",
  },
};
