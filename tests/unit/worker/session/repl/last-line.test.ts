/** Text above an input line stands there whole, in whatever pieces it comes. */
import xterm from "@xterm/headless";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LineEditor } from "../../../../../src/worker/session/repl/line-editor.js";

const COLS = 20;

/** An input line on a terminal, and what stands on that. */
function onTerminal() {
  const terminal = new xterm.Terminal({ cols: COLS, rows: 60, allowProposedApi: true });
  const line = new LineEditor({
    prompt: "> ",
    columns: () => COLS,
    write: (text) => terminal.write(text.replaceAll(/\r?\n/g, "\r\n")),
    onLine: () => undefined,
    onInterrupt: () => undefined,
    onEnd: () => undefined,
  });
  const screen = async (): Promise<string> => {
    await new Promise<void>((drawn) => terminal.write("", drawn));
    const { active } = terminal.buffer;
    const rows = Array.from({ length: 60 }, (_, y) => active.getLine(y)?.translateToString(true) ?? "");
    return rows.join("\n").trimEnd();
  };
  return { line, screen };
}

/** As a terminal breaks it into rows. */
function listRows(text: string): string[] {
  return text.split("\n").flatMap((each) => each.match(new RegExp(`.{1,${COLS}}`, "g")) ?? [""]);
}

beforeEach(() => void vi.stubEnv("TERM", "xterm-256color"));
afterEach(() => void vi.unstubAllEnvs());

describe("text above an input line", () => {
  const piece = fc.stringMatching(/^[a-z]{0,45}\n{0,2}[a-z]{0,20}$/);
  const step = fc.oneof(piece, fc.constantFrom("open", "close", "resized"));

  it("stands there whole, in whatever pieces it comes and whenever the line is opened or closed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.integer({ min: 0, max: 50 }),
        async (steps, typed) => {
          const { line, screen } = onTerminal();
          line.take(Buffer.from("0".repeat(typed)));
          let text = "";
          for (const each of steps) {
            if (each === "open") line.open();
            else if (each === "close") line.close();
            else if (each === "resized") line.redraw();
            else {
              line.writeAbove(each);
              text += each;
            }
          }
          line.open();
          const above = text.replace(/\n$/, "");
          const rows = [...(text === "" ? [] : listRows(above)), ...listRows(`> ${"0".repeat(typed)}`)];
          expect(await screen()).toBe(rows.map((row) => row.trimEnd()).join("\n"));
          line.end();
        },
      ),
    );
  });

  it("is not continued by a line of ours", async () => {
    const { line, screen } = onTerminal();
    line.writeAbove("half");
    line.open();
    line.writeNote("(ours)");
    line.writeAbove("more\n");
    expect(await screen()).toBe("half\n(ours)\nmore\n>");
    line.end();
  });
});
