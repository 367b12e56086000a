/** The input line edits text with the usual keys, keeps what is typed while it is hidden, and stays below other output. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LineEditor } from "../../../../../src/worker/session/repl/line-editor.js";
import { waitFor } from "../../../../support/wait-for.js";

function editor() {
  const heard: string[] = [];
  let shown = "";
  const line = new LineEditor({
    prompt: "› ",
    columns: () => 80,
    write: (text) => (shown += text),
    onLine: (text) => heard.push(text),
    onInterrupt: () => heard.push("(interrupt)"),
    onEnd: () => heard.push("(end)"),
  });
  const type = (text: string): void => line.take(Buffer.from(text));
  const until = (wanted: string[]) => waitFor(() => expect(heard).toEqual(wanted));
  return { line, type, until, shown: () => shown };
}

// On a dumb terminal there is nothing to edit with.
beforeEach(() => void vi.stubEnv("TERM", "xterm-256color"));
afterEach(() => void vi.unstubAllEnvs());

describe("the input line", () => {
  it("gives what was typed, edited with the usual keys", async () => {
    const { line, type, until } = editor();
    line.open("› ");
    type("heo\u001b[Dłx\u007fl\u0005!\r");
    await until(["hełlo!"]);
    line.end();
  });

  it("takes a pasted text of several lines for one task", async () => {
    const { line, type, until } = editor();
    line.open("› ");
    type("\u001b[200~first\rsecond\u001b[201~");
    type("\r");
    await until(["first\nsecond"]);
    line.end();
  });

  it("stands below what comes in above it", () => {
    const { line, type, shown } = editor();
    line.open("› ");
    type("draft");
    line.writeAbove("news\n");
    expect(shown()).toMatch(/\r\u001b\[Jnews\n[^]*› draft/);
    line.end();
  });

  it("keeps what is typed while none is shown, and no task for an answer", async () => {
    const { line, type, until, shown } = editor();
    type("first\r");
    type("second\r");
    type("draft");
    line.open("answer › ");
    expect(shown()).toMatch(/answer › [^a-z]*$/);
    type("red\r");
    await until(["red"]);
    line.open("› ");
    await until(["red", "first"]);
    expect(shown()).toContain("› first\n");
    line.forgetTypedAhead();
    line.open("› ");
    expect(shown()).toMatch(/› draft[^a-z]*$/);
    type("!\r");
    await until(["red", "first", "draft!"]);
    line.end();
  });

  it("empties on Ctrl-C; with nothing typed that is an interrupt, and Ctrl-D the end", async () => {
    const { line, type, until } = editor();
    line.open("› ");
    type("draft");
    type("\u0003");
    type("\u0003");
    await until(["(interrupt)"]);
    type("\u0004");
    await until(["(interrupt)", "(end)"]);
  });
});
