/** The screen gives views of its rows, cursor, modes and scrollback, which stay as they were while the screen goes on. */
import { describe, expect, it, vi } from "vitest";
import { Screen } from "../../../../src/worker/screen/screen.js";
import type { View } from "../../../../src/sdk/view.js";

const SIZE = { cols: 20, rows: 5 };

async function drawn(text: string, size = SIZE): Promise<View> {
  const screen = new Screen(size);
  screen.write(Buffer.from(text));
  await screen.flushed();
  return screen.view();
}

function readText(view: View): string[] {
  return view.lines.map((line) => line.text);
}

it("the screen writes nothing to the user's terminal about bytes that no terminal understands", async () => {
  const said = [vi.spyOn(console, "error"), vi.spyOn(console, "warn"), vi.spyOn(console, "log")];
  const screen = new Screen({ cols: 20, rows: 2 });
  screen.write(Buffer.from("a\u007fb\u001b[1\u00ff;\u001b]9999\u0001x\u001bP\u0018c", "latin1"));
  await screen.flushed();
  expect(screen.view().lines[0]?.text).toContain("ab");
  for (const spy of said) expect(spy).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

describe("a view of the screen", () => {
  it("has exactly as many lines as the screen, without trailing blanks", async () => {
    expect(readText(await drawn("Name:   \r\nx"))).toEqual(["Name:", "x", "", "", ""]);
  });

  it("keeps the non-breaking blank by which tools mark their input box", async () => {
    expect((await drawn("❯\u00a0")).lines[0]?.text).toBe("❯\u00a0");
  });

  it("tells the column of the cursor behind a trailing blank", async () => {
    expect((await drawn("Name: ")).cursor).toEqual({ x: 6, y: 0, visible: true });
  });

  it("marks the rows that the terminal wrapped, not those that the tool ended", async () => {
    const { lines } = await drawn(`${"a".repeat(25)}\r\nb`);
    expect(lines.slice(0, 3).map((line) => line.wrapped)).toEqual([false, true, false]);
  });

  it("splits a row into runs of one style", async () => {
    const [line] = (await drawn("a\u001b[1;38;5;153mbc\u001b[0;7md\u001b[0m\u001b[38;2;1;2;3me")).lines;
    const runs = line
      ?.runs()
      .map(({ text, style }) => [text.trimEnd(), style.bold, style.inverse, style.foreground]);
    expect(runs?.slice(0, 4)).toEqual([
      ["a", false, false, null],
      ["bc", true, false, 153],
      ["d", false, true, null],
      ["e", false, false, "#010203"],
    ]);
  });

  it("takes what has not changed from the view before it, also where it moved", async () => {
    const screen = new Screen(SIZE);
    screen.write(Buffer.from("one\r\ntwo\r\n\r\n\r\n"));
    await screen.flushed();
    const before = screen.view();
    screen.write(Buffer.from("\u001b[1;1HOne\u001b[5;1Hlast\r\n"));
    await screen.flushed();
    const { lines } = screen.view();
    expect(lines.map((line) => line.text)).toEqual(["two", "", "", "last", ""]);
    expect(lines.slice(0, 3).map((line) => before.lines.indexOf(line))).toEqual([1, 2, 3]);
  });

  it("stays as it was when the screen goes on", async () => {
    const screen = new Screen(SIZE);
    screen.write(Buffer.from("\u001b[31mold"));
    await screen.flushed();
    const before = screen.view();
    screen.write(Buffer.from("\u001b[2J\u001b[H\u001b[32mnew\r\n1\r\n2\r\n3\r\n4\r\n5"));
    await screen.flushed();
    expect(before.lines[0]?.text).toBe("old");
    expect(before.lines[0]?.runs()[0]?.style.foreground).toBe(1);
    expect(before.scrollback).toEqual([]);
    expect(screen.view().scrollback).toEqual(["new"]);
  });

  it("is the same object until something is parsed, and then has a higher frame number", async () => {
    const screen = new Screen(SIZE);
    screen.write(Buffer.from("a"));
    await screen.flushed();
    const first = screen.view();
    expect(screen.view()).toBe(first);
    screen.write(Buffer.from("b"));
    await screen.flushed();
    expect(screen.view()).not.toBe(first);
    expect(screen.view().frame).toBeGreaterThan(first.frame);
  });

  it.each([
    ["alternateScreen", "\u001b[?1049h", "\u001b[?1049l"],
    ["bracketedPaste", "\u001b[?2004h", "\u001b[?2004l"],
    ["applicationCursorKeys", "\u001b[?1h", "\u001b[?1l"],
    ["focusReports", "\u001b[?1004h", "\u001b[?1004l"],
    ["synchronizedUpdate", "\u001b[?2026h", "\u001b[?2026l"],
  ] as const)("knows the mode %s", async (mode, on, off) => {
    expect((await drawn("x")).modes[mode]).toBe(false);
    expect((await drawn(on)).modes[mode]).toBe(true);
    expect((await drawn(on + off)).modes[mode]).toBe(false);
  });

  it.each([
    ["shown", "", true],
    ["hidden", "\u001b[?25l", false],
    ["hidden together with other modes", "\u001b[?1000;25l", false],
    ["shown again", "\u001b[?25l\u001b[?25h", true],
    ["shown by a soft reset", "\u001b[?25l\u001b[!p", true],
    ["shown by a full reset", "\u001b[?25l\u001bc", true],
  ])("knows that the cursor is %s", async (_name, bytes, visible) => {
    expect((await drawn(bytes)).cursor.visible).toBe(visible);
  });

  it("carries the title", async () => {
    expect((await drawn("\u001b]0;✳ Claude Code\u0007")).title).toBe("✳ Claude Code");
  });

  it("gives emoji and wide characters two columns, marks none", async () => {
    expect((await drawn("✋😀漢e\u0301")).cursor.x).toBe(7);
  });
});

describe("a screen", () => {
  it("resolves flushed when everything written is parsed, and counts what is not", async () => {
    const screen = new Screen(SIZE);
    screen.write(Buffer.from("hello"));
    expect(screen.backlogBytes).toBe(5);
    await screen.flushed();
    expect(screen.backlogBytes).toBe(0);
    expect(screen.parsedBytes).toBe(5);
    await screen.flushed();
  });

  it("parses a long chunk in pieces, so that keys can come between them", async () => {
    const screen = new Screen(SIZE);
    let pieces = 0;
    screen.onChange(() => (pieces += 1));
    screen.write(Buffer.alloc(40 * 1024, "x"));
    await screen.flushed();
    expect(pieces).toBe(3);
  });

  it("resizes after what was written before", async () => {
    const screen = new Screen({ cols: 10, rows: 5 });
    screen.write(Buffer.from("0123456789AB"));
    screen.resize({ cols: 20, rows: 5 });
    await screen.flushed();
    expect(screen.view().cols).toBe(20);
    const [first, second] = screen.view().lines;
    expect([first?.text, second?.text, screen.view().cursor]).toEqual([
      "0123456789AB",
      "",
      { x: 12, y: 0, visible: true },
    ]);
  });

  it("takes sizes that no terminal has for the nearest that one can have", () => {
    expect(new Screen({ cols: 0, rows: NaN }).view()).toMatchObject({ cols: 2, rows: 2 });
  });

  it("tells every listener of a change until it is taken back", async () => {
    const screen = new Screen(SIZE);
    const calls: string[] = [];
    screen.onChange(() => calls.push("a"));
    const stop = screen.onChange(() => calls.push("b"));
    screen.write(Buffer.from("x"));
    await screen.flushed();
    stop();
    screen.resize({ cols: 30, rows: 5 });
    expect(calls).toEqual(["a", "b", "a"]);
  });

  it("tells of output before it is parsed", async () => {
    const screen = new Screen(SIZE);
    const seen: [number, number][] = [];
    screen.onArrival(() => seen.push([screen.writtenBytes, screen.parsedBytes]));
    screen.write(Buffer.from("abc"));
    screen.write(Buffer.from("de"));
    await screen.flushed();
    expect(seen).toEqual([
      [3, 0],
      [5, 0],
    ]);
  });

  it("answers queries through onReply", async () => {
    const screen = new Screen(SIZE);
    const replies: string[] = [];
    screen.onReply((reply) => replies.push(reply));
    screen.write(Buffer.from("\u001b[6n"));
    await screen.flushed();
    expect(replies).toEqual(["\u001b[1;1R"]);
  });

  it("hears the bell", async () => {
    const screen = new Screen(SIZE);
    let bells = 0;
    screen.onBell(() => bells++);
    screen.write(Buffer.from("a\u0007b\u0007"));
    await screen.flushed();
    expect(bells).toBe(2);
  });

  it("keeps a character whose second byte is 0x80 whole across reads", async () => {
    const screen = new Screen(SIZE);
    for (const byte of Buffer.from("a—b")) screen.write(Uint8Array.of(byte));
    await screen.flushed();
    expect(screen.view().lines[0]?.text).toBe("a—b");
  });
});

describe("the scrollback", () => {
  async function afterLines(count: number, more = ""): Promise<View> {
    const lines = Array.from({ length: count }, (_, index) => `line ${index}`).join("\r\n");
    return drawn(lines + more);
  }

  it("holds the lines that left the main screen, oldest first", async () => {
    expect((await afterLines(8)).scrollback).toEqual(["line 0", "line 1", "line 2"]);
  });

  it("is read on as lines leave, and keeps the newest when there are too many", async () => {
    const screen = new Screen(SIZE);
    for (let index = 0; index < 700; index++) {
      screen.write(Buffer.from(`line ${index}\r\n`));
      if (index % 90 === 0) {
        await screen.flushed();
        screen.view();
      }
    }
    await screen.flushed();
    const { scrollback } = screen.view();
    expect(scrollback).toHaveLength(500);
    expect(scrollback.at(-1)).toBe("line 695");
    expect(scrollback[0]).toBe("line 196");
  });

  it("is empty on the alternate screen and back afterwards", async () => {
    const screen = new Screen(SIZE);
    screen.write(Buffer.from("1\r\n2\r\n3\r\n4\r\n5\r\n6\u001b[?1049h"));
    await screen.flushed();
    expect(screen.view().scrollback).toEqual([]);
    screen.write(Buffer.from("\u001b[?1049l"));
    await screen.flushed();
    expect(screen.view().scrollback).toEqual(["1"]);
  });

  it("is empty after the tool erased it", async () => {
    const screen = new Screen(SIZE);
    screen.write(Buffer.from("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7"));
    await screen.flushed();
    expect(screen.view().scrollback).toEqual(["1", "2"]);
    screen.write(Buffer.from("\u001b[3J"));
    await screen.flushed();
    expect(screen.view().scrollback).toEqual([]);
  });

  it("is wrapped anew after a resize", async () => {
    const screen = new Screen(SIZE);
    screen.write(Buffer.from("0123456789\r\nb\r\nc\r\nd\r\ne\r\nf"));
    await screen.flushed();
    expect(screen.view().scrollback).toEqual(["0123456789"]);
    screen.resize({ cols: 5, rows: 5 });
    expect(screen.view().scrollback).toEqual(["01234", "56789"]);
  });
});
