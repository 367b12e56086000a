/** The demo agent's drawing: a block that is redrawn in place, and reading one key at a time. */

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

let drawn = 0;

function getColumns(): number {
  return process.stdout.columns;
}

/** Wraps a long line between words at the terminal's width, with an indent, so that a block's height is known. */
function wrap(line: string, indent: string): string[] {
  const width = Math.max(20, getColumns() - 1);
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

/** Draws the block over the previous one; `cursorLine` is where the cursor rests (on the highlighted row). */
export function drawBlock(lines: readonly string[], cursorLine: number): void {
  const rows = lines.map((line) => wrap(line, "     "));
  const height = rows.flat().length;
  const above = rows.slice(0, cursorLine).flat().length;
  eraseBlock();
  process.stdout.write(`${HIDE_CURSOR}${rows.flat().join("\r\n")}\r\n`);
  process.stdout.write(`\u001b[${height - above}A\u001b[2G`);
  drawn = above;
}

/** Erases the block and leaves the cursor at its start. */
export function eraseBlock(): void {
  if (drawn > 0) process.stdout.write(`\u001b[${drawn}A`);
  process.stdout.write("\r\u001b[J");
  drawn = 0;
}

export function say(line: string): void {
  process.stdout.write(`${SHOW_CURSOR}${line}\r\n`);
}

/** The next key as the terminal sends it: one character, or one escape sequence. */
export function readKey(): Promise<string> {
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

/** Switches raw mode on (menus) or off (lines); keys are read only while it is on. */
export function setRawMode(on: boolean): void {
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
