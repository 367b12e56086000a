/** The input line edits text with the usual keys, keeps what is typed while it is hidden, and stays below other output. */
import xterm from "@xterm/headless";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LineEditor } from "../../../../../src/worker/session/repl/line-editor.js";

const COLS = 40;

function editor() {
  const heard: string[] = [];
  const terminal = new xterm.Terminal({ cols: COLS, rows: 20, allowProposedApi: true });
  const line = new LineEditor({
    columns: () => COLS,
    write: (text) => terminal.write(text.replaceAll(/\r?\n/g, "\r\n")),
    onLine: (kind, text) => heard.push(`${kind}: ${text}`),
    onInterrupt: () => heard.push("(interrupt)"),
    onEnd: () => heard.push("(end)"),
  });
  const type = (text: string): void => line.take(Buffer.from(text));
  const screen = async (): Promise<string> => {
    await new Promise<void>((drawn) => terminal.write("", drawn));
    const { active } = terminal.buffer;
    const rows = Array.from({ length: 20 }, (_, y) => active.getLine(y)?.translateToString(true) ?? "");
    return rows.join("\n").trimEnd();
  };
  return { line, type, heard, screen };
}

// On a dumb terminal there is nothing to edit with.
beforeEach(() => void vi.stubEnv("TERM", "xterm-256color"));
afterEach(() => void vi.unstubAllEnvs());

describe("the input line", () => {
  it("gives what was typed, edited with the usual keys", () => {
    const { line, type, heard } = editor();
    line.show("task");
    type("heo\u001b[Dłx\u007fl\u0005!\r");
    line.show("task");
    type("\u001b[A?\r");
    expect(heard).toEqual(["task: hełlo!", "task: hełlo!?"]);
  });

  it("takes a pasted text of several lines for one task", () => {
    const { line, type, heard } = editor();
    line.show("task");
    type("\u001b[200~first\rsecond\u001b[201~");
    type("\r");
    expect(heard).toEqual(["task: first\nsecond"]);
  });

  it("is drawn below the text that comes in above it, also where it takes two rows", async () => {
    const { line, type, screen } = editor();
    line.print("an unfinished row");
    line.show("task");
    type("0123456789".repeat(5));
    line.print("\nnews\n");
    line.printNote("(ours)");
    const rows = [
      "an unfinished row",
      "news",
      "(ours)",
      `› ${"0123456789".repeat(3)}01234567`,
      "890123456789",
    ];
    expect(await screen()).toBe(rows.join("\n"));
    line.end();
    expect(await screen()).toBe(rows.slice(0, 3).join("\n"));
  });

  it("keeps a task that is typed while it is hidden or asks for an answer, and does not send it", async () => {
    const { line, type, heard, screen } = editor();
    line.show("task");
    type("fix ");
    line.show("answer");
    type("red\r");
    line.keepForTask(Buffer.from("it x\u007fnow\r"));
    line.show("task");
    expect(heard).toEqual(["answer: red"]);
    expect(await screen()).toBe("answer › red\n› fix it now⏎");
    type("\u007f!\r");
    expect(heard).toEqual(["answer: red", "task: fix it now!"]);
  });

  it("begins each answer empty", async () => {
    const { line, type, screen } = editor();
    line.show("answer");
    type("1");
    line.hide();
    line.show("answer");
    expect(await screen()).toBe("answer ›");
  });

  it("empties on Ctrl-C; with nothing typed that is an interrupt, and Ctrl-D the end", () => {
    const { line, type, heard } = editor();
    line.show("task");
    type("draft");
    type("\u0003");
    type("\u0003");
    expect(heard).toEqual(["(interrupt)"]);
    type("\u0004");
    expect(heard).toEqual(["(interrupt)", "(end)"]);
  });
});
