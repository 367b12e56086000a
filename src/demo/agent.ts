/**
 * The demo's agent: asks as agents do (a menu of digits, yes or no, a check list, a text, a secret). `node demo-agent.js LOG` writes each
 * answer as a JSON line.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { PRIVATE_FILE_MODE } from "../config/private-files.js";

const UP = ["\u001b[A", "\u001bOA"];
const DOWN = ["\u001b[B", "\u001bOB"];
const [, , logFile = ""] = process.argv;

function record(step: string, answer: string): void {
  if (logFile) appendFileSync(logFile, `${JSON.stringify({ step, answer })}\n`, { mode: PRIVATE_FILE_MODE });
  say(`● ${step}: ${answer}`);
}

const RULE = "─".repeat(40);
const COMMAND = "rm -rf build && npm run build";

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
  // Node cannot turn off only the echo.
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

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

let drawn = 0;

/** Wraps between words, so that a block's height is known. */
function wrap(line: string, indent: string): string[] {
  const width = Math.max(20, process.stdout.columns - 1);
  const parts: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(" ", width);
    const at = blank > indent.length ? blank : width;
    parts.push(rest.slice(0, at));
    rest = indent + rest.slice(at).trimStart();
  }
  return [...parts, rest];
}

/** Draws over the previous block. `cursorLine`: where the cursor stays. */
function drawBlock(lines: readonly string[], cursorLine: number): void {
  const rows = lines.map((line) => wrap(line, "     "));
  const height = rows.flat().length;
  const above = rows.slice(0, cursorLine).flat().length;
  eraseBlock();
  process.stdout.write(`${HIDE_CURSOR}${rows.flat().join("\r\n")}\r\n`);
  process.stdout.write(`\u001b[${height - above}A\u001b[2G`);
  drawn = above;
}

function eraseBlock(): void {
  if (drawn > 0) process.stdout.write(`\u001b[${drawn}A`);
  process.stdout.write("\r\u001b[J");
  drawn = 0;
}

function say(line: string): void {
  process.stdout.write(`${SHOW_CURSOR}${line}\r\n`);
}

/** One character or one escape sequence. */
function readKey(): Promise<string> {
  return new Promise((resolve) => {
    const [first, ...rest] = buffered.splice(0);
    if (first !== undefined) {
      buffered.push(...rest);
      resolve(first);
    } else waiting = resolve;
  });
}

const buffered: string[] = [];
let waiting: ((key: string) => void) | null = null;

const KEY = /\u001b[[O][0-9;]*[A-Za-z~]|[\s\S]/gu;

/** On for menus, off for lines. */
function setRawMode(on: boolean): void {
  process.stdin.setRawMode(on);
  if (on) process.stdin.on("data", takeKeys).resume();
  else process.stdin.off("data", takeKeys).pause();
}

function takeKeys(chunk: Buffer): void {
  buffered.push(...(chunk.toString("utf8").match(KEY) ?? []));
  if (!waiting || buffered.length === 0) return;
  const resolve = waiting;
  waiting = null;
  resolve(buffered.shift() ?? "");
}

/** A CommonJS bundle has no top-level `await`. */
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
