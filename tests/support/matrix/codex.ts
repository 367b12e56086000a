/** What codex asks, and what each choice does there. */
import { exec, MCP, patch, planMode } from "../corpus/codex/moves.js";
import { codex, type CodexOptions } from "../real-cli/codex.js";
import { answer, DATABASE, deployed, FILE, wroteFile } from "./common.js";
import {
  allowed,
  denied,
  deniedFor,
  heard,
  left,
  MAKE_FILE,
  ran,
  REASON,
  remembered,
  shows,
  told,
} from "./effects.js";
import type { MatrixDialog, MatrixTool } from "./matrix.js";

const NEW_FILE = patch(`*** Add File: ${FILE}`, "+hello", "+Continue? (y/n)");
/** It is drawn as a row of its own only where there is room. */
const HIDDEN = "the row is not drawn there, a key stands for it";

const options = (more: CodexOptions): CodexOptions => more;

const command: MatrixDialog = {
  name: "command",
  model: [{ text: "I will make a file.", tools: [exec(MAKE_FILE)] }],
  question: /Would you like to run the following command\?/,
  choices: [
    { label: "Yes, proceed", effect: allowed(ran(1)) },
    { label: "Yes, and don't ask again", effect: remembered(ran(2)) },
    { label: "No, and tell Codex", effect: denied(ran(0)) },
    { label: "No, and tell Codex", words: REASON, effect: deniedFor(ran(0)) },
  ],
};

const edits: MatrixDialog = {
  name: "edits",
  options: options({ sandbox: "read-only" }),
  model: [{ text: "I will add a file.", tools: [NEW_FILE] }],
  question: /Would you like to make the following edits\?/,
  choices: [
    { label: "Yes, proceed", effect: allowed(wroteFile) },
    { label: "Yes, and don't ask again", effect: remembered(wroteFile) },
    { label: "No, and tell Codex", effect: denied(left(FILE, "hello")) },
    { label: "No, and tell Codex", words: REASON, effect: deniedFor(left(FILE, "hello")) },
  ],
};

/** The rest of a turn that was granted more: a command in the sandbox. */
const permissions: MatrixDialog = {
  name: "permissions",
  options: options({ tables: ["[features]", "request_permissions_tool = true"] }),
  model: (cwd) => [
    {
      tools: [
        {
          name: "request_permissions",
          input: {
            reason: "The cache is needed.",
            permissions: { file_system: { write: [`${cwd}-cache`] } },
          },
        },
      ],
    },
  ],
  question: /Would you like to grant these permissions\?/,
  choices: [
    { label: "Yes, grant these permissions for this turn", effect: told(/-cache/) },
    { label: "Yes, grant for this turn with strict", effect: told(/-cache/) },
    { label: "Yes, grant these permissions for this s", effect: told(/-cache/) },
    { label: "No, continue without", effect: told(/./), except: { "45x20": HIDDEN } },
    { label: "No (Esc)", effect: told(/./), except: { "80x24": "all rows are drawn there" } },
  ],
};

const mcp: MatrixDialog = {
  name: "mcp",
  options: options({ tables: MCP }),
  model: [{ tools: [{ name: "mcp__ops__deploy", input: { target: "production", dry_run: false } }] }],
  question: /Allow the ops MCP server to run tool "deploy"\?/,
  choices: [
    { label: "Allow", effect: told("deployed") },
    { label: "Allow for this session", effect: remembered(deployed) },
    { label: "Always allow", effect: remembered(deployed) },
    { label: "Cancel", effect: denied() },
  ],
};

const question: MatrixDialog = {
  name: "question",
  before: planMode,
  model: [
    { tools: [{ name: "request_user_input", input: { questions: [{ ...DATABASE, id: "Database" }] } }] },
  ],
  question: /Which database should we use\?/,
  choices: ["PostgreSQL", "SQLite", "MongoDB", "None of the above"].map(answer),
};

const PLAN = "<proposed_plan>\n# Retry helper\n\n1. Add a helper\n2. Wire it in\n</proposed_plan>";
const plan: MatrixDialog = {
  name: "plan",
  before: planMode,
  model: [{ text: PLAN }],
  question: /Implement this plan\?/,
  choices: [
    { label: "Yes, implement this plan", effect: heard("Implement the plan") },
    { label: "Yes, clear context and implement", effect: heard("approved plan") },
    { label: "No, stay in Plan mode", effect: shows(/Plan\s+mode/) },
  ],
};

const trust: MatrixDialog = {
  name: "trust",
  options: { trusted: false },
  question: /Trust this folder\?/,
  choices: [
    { label: "Trust and continue", effect: (session) => session.composer() },
    { label: "Back to", effect: shows(/Agent command center/i), leaves: true },
  ],
};

const news: MatrixDialog = {
  name: "model-news",
  options: options({ model: "gpt-5.6-sol" }),
  question: /Meet GPT/,
  choices: [
    { label: "Try new model", effect: (session) => session.composer() },
    { label: "Use existing model", effect: (session) => session.composer() },
  ],
};

const update: MatrixDialog = {
  name: "update",
  options: options({ update: true, env: { CODEX_MANAGED_BY_NPM: "1" } }),
  question: /Update available/,
  choices: [
    { label: "Skip", effect: (session) => session.composer() },
    { label: "Skip until next version", effect: (session) => session.composer() },
  ],
};

export const codexMatrix: MatrixTool = {
  tool: codex,
  composer: /^› /m,
  dialogs: [command, edits, permissions, mcp, question, plan, trust, news, update],
  left: {
    "update: Update now": "it would replace itself from the network",
    login: "an account is signed in to in a browser",
  },
};
