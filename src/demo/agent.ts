/**
 * The demo agent: a real program that asks as agents do (a permission menu whose digits act at once, a y/n line, a check list,
 * a free text, a secret) and records the answers. `node demo-agent.js LOG` runs it; LOG gets one JSON line per answer.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { drawBlock, eraseBlock, readKey, setRawMode, say } from "./agent-screen.js";
import { PRIVATE_FILE_MODE } from "../config/private-files.js";

const UP = ["\u001b[A", "\u001bOA"];
const DOWN = ["\u001b[B", "\u001bOB"];
const [, , logFile = ""] = process.argv;

function record(step: string, answer: string): void {
  if (logFile) appendFileSync(logFile, `${JSON.stringify({ step, answer })}\n`, { mode: PRIVATE_FILE_MODE });
  say(`● ${step}: ${answer}`);
}

const RULE = "─".repeat(40);
const COMMAND =
  "rm -rf build && npm ci --no-audit --no-fund && npm run build -- --mode production --out-dir build && tar -czf release.tgz build";

async function askPermission(): Promise<string> {
  const labels = ["Yes", "Yes, and don't ask again for npm", "No"];
  let row = 0;
  for (;;) {
    drawBlock(
      [
        RULE,
        " Shell command",
        "",
        `   ${COMMAND}`,
        "",
        " Do you want to run this command?",
        ...labels.map((label, index) => ` ${index === row ? "❯" : " "} ${index + 1}. ${label}`),
        "",
        " Esc to cancel",
      ],
      6 + row,
    );
    const key = await readKey();
    if (UP.includes(key)) row = (row + labels.length - 1) % labels.length;
    else if (DOWN.includes(key)) row = (row + 1) % labels.length;
    else if (key === "\u001b") return "No";
    else if (key === "\r" || /^[1-3]$/.test(key)) return labels[key === "\r" ? row : Number(key) - 1] ?? "";
  }
}

async function askTargets(): Promise<string> {
  const labels = ["Linux", "macOS", "Windows"];
  const ticked = new Set<number>();
  let row = 0;
  for (;;) {
    const boxes = labels.map(
      (label, at) => ` ${at === row ? "❯" : " "} ${at + 1}. [${ticked.has(at) ? "x" : " "}] ${label}`,
    );
    drawBlock(
      [RULE, " Which targets should be built?", ...boxes, "", " Space to toggle · Enter to submit"],
      2 + row,
    );
    const key = await readKey();
    if (UP.includes(key)) row = Math.max(0, row - 1);
    else if (DOWN.includes(key)) row = Math.min(labels.length - 1, row + 1);
    else if (key === "\r") return labels.filter((_, at) => ticked.has(at)).join(", ") || "none";
    else if (key === " " || /^[1-3]$/.test(key)) {
      const at = key === " " ? row : Number(key) - 1;
      if (!ticked.delete(at)) ticked.add(at);
    }
  }
}

async function runMenu(ask: () => Promise<string>): Promise<string> {
  setRawMode(true);
  const answer = await ask();
  eraseBlock();
  setRawMode(false);
  return answer;
}

function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  process.stdout.write(question);
  return new Promise((resolve) => {
    lines.once("line", (line) => {
      lines.close();
      resolve(line);
    });
  });
}

async function askSecret(): Promise<string> {
  // Node cannot disable echo alone; stty can, in the same way as a password prompt does.
  const { execFileSync } = await import("node:child_process");
  const stty = (flag: string): unknown =>
    execFileSync("stty", [flag], { stdio: ["inherit", "ignore", "ignore"] });
  stty("-echo");
  try {
    return await askLine("Deploy password: ");
  } finally {
    stty("echo");
    say("");
  }
}

/** A bundle is CommonJS, which has no `await` outside of functions. */
async function makeRelease(): Promise<void> {
  say("● Demo agent: I will make a release, and ask before each step.");
  record("permission", await runMenu(askPermission));
  record("overwrite", /^y(es)?$/i.test(await askLine("Overwrite release.tgz? [y/N] ")) ? "yes" : "no");
  record("targets", await runMenu(askTargets));
  record("name", await askLine("What should the release be called? "));
  record("secret", `${(await askSecret()).length} characters`);
  say("● Done.");
}

void makeRelease();
