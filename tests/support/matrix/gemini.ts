/** What gemini asks, and what each choice does there. */
import { shell, write } from "../corpus/gemini/moves.js";
import { MCP_SERVER } from "../corpus/mcp-command.js";
import { gemini, type GeminiOptions } from "../real-cli/gemini.js";
import { answer, deployed, FILE, option, wroteFile } from "./common.js";
import {
  allowed,
  dropped,
  droppedFor,
  left,
  MAKE_FILE,
  ran,
  REASON,
  remembered,
  says,
  told,
  wrote,
} from "./effects.js";
import type { Effect, MatrixDialog, MatrixTool } from "./matrix.js";

const options = (more: GeminiOptions): GeminiOptions => more;

const command: MatrixDialog = {
  name: "command",
  model: [{ text: "I will make a file.", tools: [shell(MAKE_FILE)] }],
  question: /Allow execution of \[Shell\]\?/,
  choices: [
    { label: "Allow once", effect: allowed(ran(1)) },
    { label: "Allow for this session", effect: remembered(ran(2)) },
    { label: "No, suggest changes", effect: dropped(ran(0)) },
    { label: "No, suggest changes", words: REASON, effect: droppedFor(ran(0)) },
  ],
};

const edits: MatrixDialog = {
  name: "write",
  model: [{ text: "I will add a file.", tools: [write(FILE, "hello\nContinue? (y/n)\n")] }],
  question: /Apply this change\?/,
  choices: [
    { label: "Allow once", effect: allowed(wroteFile) },
    { label: "Allow for this session", effect: remembered(wroteFile) },
    { label: "No, suggest changes", effect: dropped(left(FILE, "hello")) },
    { label: "No, suggest changes", words: REASON, effect: droppedFor(left(FILE, "hello")) },
  ],
};

const fetch: MatrixDialog = {
  name: "fetch",
  model: [{ tools: [{ name: "web_fetch", input: { prompt: "Sum up https://docs.example.invalid/page" } }] }],
  question: /Do you want to proceed\?/,
  choices: [
    { label: "Allow once", effect: told(/error|fail/i) },
    { label: "Allow for this session", effect: remembered(says(/error|fail/i)) },
    { label: "No, suggest changes", effect: dropped() },
  ],
};

const mcp: MatrixDialog = {
  name: "mcp",
  options: options({ settings: { mcpServers: { ops: MCP_SERVER } } }),
  model: [{ tools: [{ name: "mcp_ops_deploy", input: { target: "production", dry_run: false } }] }],
  question: /Allow execution of MCP tool "deploy" from server "ops"\?/,
  choices: [
    { label: "Allow once", effect: told("deployed") },
    { label: "Allow tool for this session", effect: remembered(deployed) },
    { label: "Allow all server tools for this ses", effect: remembered(deployed) },
    { label: "No, suggest changes", effect: dropped() },
  ],
};

const REGION = {
  header: "Region",
  question: "Which region should we deploy to?",
  type: "choice",
  options: [option("EU", "Frankfurt"), option("US", "Oregon")],
  multiSelect: false,
};
const question: MatrixDialog = {
  name: "question",
  model: [{ tools: [{ name: "ask_user", input: { questions: [REGION] } }] }],
  question: /Which region should we deploy to\?/,
  choices: [
    answer("EU"),
    answer("US"),
    { label: "Enter a custom value", words: "Asia, please", effect: told("Asia, please") },
  ],
};

const PLAN = "# Retry helper\n\n1. Add a helper in `src/retry.ts`\n2. Wire it in\n";
const plan: MatrixDialog = {
  name: "plan",
  options: { args: ["--approval-mode=plan"] },
  model: [
    { tools: [write("plan.md", PLAN)] },
    { tools: [{ name: "exit_plan_mode", input: { plan_filename: "plan.md" } }] },
  ],
  question: /Ready to start implementation\?/,
  choices: [
    { label: "Yes, automatically accept", effect: told(/approv/i) },
    { label: "Yes, manually accept", effect: told(/approv/i) },
    { label: "Type your feedback", words: "add tests, too", effect: told("add tests, too") },
  ],
};

const planMode: MatrixDialog = {
  name: "plan-mode",
  model: [{ tools: [{ name: "enter_plan_mode", input: { reason: "It is a big change." } }] }],
  question: /Do you want to proceed\?/,
  choices: [
    { label: "Allow once", effect: allowed() },
    { label: "Allow for this session", effect: allowed() },
    { label: "No, suggest changes", effect: dropped() },
  ],
};

const trust: MatrixDialog = {
  name: "trust",
  options: { trusted: false },
  question: /Do you trust the files in this folder\?/,
  choices: [
    { label: "Trust folder", effect: wroteTrust("TRUST_FOLDER"), leaves: true },
    { label: "Trust parent folder", effect: wroteTrust("TRUST_PARENT"), leaves: true },
    { label: "Don't trust", effect: wroteTrust("DO_NOT_TRUST") },
  ],
};

function wroteTrust(level: string): Effect {
  return wrote("~/.gemini/trustedFolders.json", level);
}

export const geminiMatrix: MatrixTool = {
  tool: gemini,
  composer: /Type your\s+message/,
  dialogs: [command, edits, fetch, mcp, question, plan, planMode, trust],
  left: {
    "write: Modify with external editor": "it opens an editor over the whole screen",
    "sign-in": "an account is signed in to in a browser, and keys are typed at the terminal only",
    quota: "both of its answers end in waiting for another day",
  },
};
