/** A program that is given the same keys leaves the same screen bare and in a run, in text, cursor and modes. */
import { makeFileFolder } from "../../support/temporary-folder.js";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import xterm from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { skipped } from "../../support/skipped.js";
import { environment, start } from "../support/tools.js";
import { RUN_ARGUMENTS } from "./support/shell-window.js";
import { HANG_MS } from "../../support/hang-guards.js";

const folder = makeFileFolder("screens");
const TEXT = join(folder, "text");
writeFileSync(TEXT, Array.from({ length: 200 }, (_, row) => `line ${row + 1}`).join("\n"));

const SIZE = { cols: 80, rows: 24 };
interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** What is typed, each once the screen matches what stands before it. */
  readonly steps: readonly (readonly [RegExp, string])[];
  readonly last: RegExp;
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  bash: {
    file: "bash",
    args: ["--norc", "--noprofile", "-i"],
    steps: [
      [/^\$ $/m, "echo one; printf '\\033[1;3%dmtwo\\033[m\\n' 1\r"],
      [/^two$[^]*^\$ $/m, "ls -d /etc /usr\r"],
      [/\/usr$[^]*^\$ $/m, "unfinished"],
    ],
    last: /\$ unfinished/,
  },
  vim: {
    file: "vim",
    args: ["-u", "NONE", "-n", TEXT],
    steps: [
      [/line 20/, "5Gdd"],
      [/line 4\nline 6/, "oadded\x1b"],
      [/added/, ":set number\r"],
    ],
    last: /5 line 6[^]*6 added/,
  },
  less: {
    file: "less",
    args: [TEXT],
    steps: [
      [/line 20/, "/line 77\r"],
      [/line 77/, "j"],
    ],
    last: /^line 78/,
  },
  python3: {
    file: "python3",
    args: ["-q"],
    steps: [
      [/>>> $/, "print('a' * 100)\r"],
      [/a{20}[^]*>>> $/, "def f():\r"],
      [/\.\.\. $/, "\r"],
    ],
    last: /IndentationError[^]*>>> $/,
  },
  dialog: {
    file: "dialog",
    args: ["--inputbox", "Its name", "10", "40"],
    steps: [[/Its name[^]*Cancel/, "a new name"]],
    last: /Its name[^]*a new name/,
  },
};

function isInstalled(file: string): boolean {
  return (environment()["PATH"] ?? "").split(delimiter).some((place) => existsSync(join(place, file)));
}

/** A terminal that draws, and answers what programs ask it. */
class Drawn {
  readonly #emulator = new xterm.Terminal({ ...SIZE, allowProposedApi: true });
  readonly #terminal;

  constructor(command: readonly string[]) {
    const env = { ...environment(), PS1: "$ ", HISTFILE: "", LESS: "", LESSOPEN: "", LINES: "", COLUMNS: "" };
    this.#terminal = start(command, { size: SIZE, env });
    this.#terminal.onData((bytes) => this.#emulator.write(bytes));
    this.#emulator.onData((answer) => void this.#terminal.write(Buffer.from(answer)));
  }

  /** Rows as they stand, with blanks at the cursor kept: a prompt is told from its command by them. */
  get text(): string {
    const { active } = this.#emulator.buffer;
    const row = (y: number): string => {
      const text = active.getLine(active.baseY + y)?.translateToString(true) ?? "";
      return y === active.cursorY ? text.padEnd(active.cursorX) : text;
    };
    return Array.from({ length: SIZE.rows }, (_, y) => row(y))
      .join("\n")
      .replace(/\n+$/, "");
  }

  /** Text, colours, cursor and modes: everything that a person could tell apart. */
  get picture(): object {
    const { active } = this.#emulator.buffer;
    const cells = Array.from({ length: SIZE.rows }, (_, y) => {
      const line = active.getLine(active.baseY + y);
      return Array.from({ length: SIZE.cols }, (_, x) => {
        const cell = line?.getCell(x);
        return (
          cell &&
          `${cell.getChars()}|${cell.getFgColor()}|${cell.getBgColor()}|${cell.isBold()}${cell.isInverse()}`
        );
      }).join(" ");
    });
    return {
      cells,
      cursor: [active.cursorX, active.cursorY],
      screen: active.type,
      modes: { ...this.#emulator.modes },
    };
  }

  async until(pattern: RegExp): Promise<void> {
    const deadline = Date.now() + HANG_MS;
    while (!pattern.test(this.text)) {
      if (Date.now() > deadline) throw new Error(`not shown: ${String(pattern)}\n${this.text}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Resolves when two looks in a row are the same picture. */
  async settled(): Promise<object> {
    for (let before = ""; ;) {
      const now = JSON.stringify(this.picture);
      if (now === before) return this.picture;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }

  type(keys: string): void {
    void this.#terminal.write(Buffer.from(keys));
  }

  async close(): Promise<void> {
    this.#terminal.kill("SIGKILL");
    this.#terminal.close();
    await this.#terminal.exited;
    this.#emulator.dispose();
  }
}

async function lastPicture(
  wrapper: readonly string[],
  { file, args, steps, last }: Program,
): Promise<object> {
  const drawn = new Drawn([...wrapper, file, ...args]);
  try {
    for (const [shown, keys] of steps) {
      await drawn.until(shown);
      await drawn.settled();
      drawn.type(keys);
    }
    await drawn.until(last);
    return await drawn.settled();
  } finally {
    await drawn.close();
  }
}

const installed = Object.keys(PROGRAMS).filter((name) => isInstalled(PROGRAMS[name]!.file));
const missing = Object.keys(PROGRAMS).filter((name) => !installed.includes(name));
skipped(missing.length > 0 ? `not installed: ${missing.join(", ")}` : null);

describe.concurrent("the last screen is the same as without us", () => {
  it("and the programs for this test are installed", () => {
    // bash and python3 are needed to install us at all.
    expect(installed).toEqual(expect.arrayContaining(["bash", "python3"]));
  });

  it.each(installed)("of %s", async (name) => {
    const bare = await lastPicture([], PROGRAMS[name]!);
    expect(await lastPicture(RUN_ARGUMENTS, PROGRAMS[name]!)).toEqual(bare);
  });

  it.skipIf(skipped(isInstalled("top") ? null : "top is not installed"))(
    "of top, whose screens all differ, by the bytes that it wrote in the same run",
    async () => {
      const log = join(folder, "top");
      const outer = start([...RUN_ARGUMENTS, "sh", "-c", `top -b -n 1 | tee ${log}`], { size: SIZE });
      const chunks: Uint8Array[] = [];
      outer.onData((chunk) => chunks.push(chunk));
      await outer.exited;
      const wrote = readFileSync(log, "latin1").replaceAll("\n", "\r\n");
      expect(wrote.length).toBeGreaterThan(500);
      expect(Buffer.concat(chunks).toString("latin1")).toBe(wrote);
    },
  );
});
