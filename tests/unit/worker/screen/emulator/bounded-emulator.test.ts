/** The emulator does bounded work for any output. It marks the screen as lost where it does not follow, and follows again later. */
import { describe, expect, it } from "vitest";
import { Screen } from "../../../../../src/worker/screen/screen.js";

const CSI = "\u001b[";
const MOST = "2147483647";

async function drawn(output: string, size = { cols: 80, rows: 24 }): Promise<Screen> {
  const screen = new Screen(size);
  screen.write(Buffer.from(output));
  await screen.flushed();
  return screen;
}

function texts(screen: Screen): string[] {
  return screen.view().lines.map(({ text }) => text);
}

describe("a parameter that is far too large", () => {
  const finals = [
    "@",
    "A",
    "B",
    "C",
    "D",
    "E",
    "F",
    "G",
    "I",
    "L",
    "M",
    "P",
    "S",
    "T",
    "X",
    "Z",
    "`",
    "a",
    "d",
    "e",
  ];
  it.each([...finals, " @", " A", "'}", "'~", "g", "h", "r", "t", "m"])(
    "of CSI %s is followed",
    async (final) => {
      const screen = await drawn(`begin\r\n${CSI}${MOST};${MOST}${final}${CSI}2J${CSI}Hend`);
      expect(screen.isFollowed).toBe(true);
    },
  );

  it("that erases everything up to the last cell breaks nothing, on either screen", async () => {
    for (const screen of ["", `${CSI}?1049h`])
      for (const how of ["1J", "?1J"]) {
        const seen = await drawn(`${screen}text${CSI}${MOST};${MOST}H${CSI}${how}${CSI}Hend`);
        expect(seen.isFollowed).toBe(true);
        expect(texts(seen).join("")).toBe("end");
      }
  });

  it("of line operations leaves what as many as the screen has rows leave", async () => {
    for (const final of ["L", "M", "S", "T"]) {
      const [most, enough] = [MOST, "24"].map((count) =>
        drawn(`one\r\ntwo\r\n${CSI}1;1H${CSI}${count}${final}end`),
      );
      expect(texts(await most!)).toEqual(texts(await enough!));
    }
  });

  it("of a repeated character is not followed, and said so until all is drawn anew", async () => {
    const screen = await drawn(`x${CSI}${MOST}b`);
    expect(screen.isFollowed).toBe(false);
    expect(screen.view().unfollowed).toBe(true);
    screen.write(Buffer.from("more text"));
    await screen.flushed();
    expect(screen.isFollowed).toBe(false);
    screen.write(Buffer.from(`${CSI}H${CSI}2Jnew`));
    await screen.flushed();
    expect(screen.isFollowed).toBe(true);
    expect(texts(screen)[0]).toBe("new");
  });
});

describe("output that causes too much work", () => {
  it("is skipped in every form, and the screen is marked as lost", async () => {
    for (const unit of [
      `${CSI}200L`,
      `${CSI}200S`,
      `${CSI}2J${CSI}@`,
      "\u001bc\u001b#8",
      `${CSI}?1049h${CSI}?1049l`,
    ]) {
      const screen = await drawn(unit.repeat(20_000), { cols: 200, rows: 60 });
      expect(screen.isFollowed).toBe(false);
    }
  });

  it("is followed again once twice as many lines as the screen has have scrolled by", async () => {
    const screen = await drawn(`x${CSI}${MOST}b`);
    screen.write(Buffer.from(`\r\n${"line\r\n".repeat(46)}`));
    await screen.flushed();
    expect(screen.isFollowed).toBe(false);
    screen.write(Buffer.from("line\r\nlast"));
    await screen.flushed();
    expect(screen.isFollowed).toBe(true);
    expect(texts(screen)).toEqual([...Array<string>(23).fill("line"), "last"]);
    expect(screen.view().scrollback.every((line) => !line.includes("x"))).toBe(true);
  });

  it("keeps the modes of the tool: what its terminal is left in is known at all times", async () => {
    const flood = `${CSI}200L`.repeat(20_000);
    const screen = await drawn(`${flood}${CSI}?1049h${CSI}?2004h${CSI}?25l${flood}`);
    expect(screen.isFollowed).toBe(false);
    expect(screen.undoModes()).toContain(`${CSI}?1049l`);
    expect(screen.undoModes()).toContain(`${CSI}?25h`);
    expect(screen.view().modes.bracketedPaste).toBe(true);
  });
});

describe("sequences without an end", () => {
  it("marks on one character: some are kept, and the screen is marked as lost", async () => {
    const screen = await drawn(`e${"\u0301".repeat(12)} ${CSI}m`);
    expect(screen.isFollowed).toBe(true);
    screen.write(Buffer.from(`e${"\u0301".repeat(100_000)}`));
    await screen.flushed();
    expect(screen.isFollowed).toBe(false);
    expect(texts(screen).join("").length).toBeLessThan(10_000);
  });

  it("a title is cut, a link and a clipboard are not kept", async () => {
    const long = "t".repeat(3_000_000);
    const screen = await drawn(
      `\u001b]0;${long}\u0007\u001b]8;;http://${long}\u0007link\u001b]8;;\u0007\u001b]52;c;${long}\u0007`,
    );
    expect(screen.view().title).toHaveLength(4096);
    expect(texts(screen)[0]).toBe("link");
    expect(screen.isFollowed).toBe(true);
  });

  it("private modes: a million of them are not remembered", async () => {
    const modes = Array.from({ length: 200_000 }, (_, mode) => `${CSI}?${mode + 3000}h`).join("");
    const before = process.memoryUsage().heapUsed;
    const screen = await drawn(modes);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024);
    expect(screen.undoModes()).toBe("");
  });
});
