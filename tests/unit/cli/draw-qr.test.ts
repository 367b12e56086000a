/** The QR codes that are drawn on a terminal are read back by a decoder as the same text. */
import { stripVTControlCharacters } from "node:util";
import decodeQR from "qr/decode.js";
import { describe, expect, it } from "vitest";
import { drawQrCode } from "../../../src/cli/setup/draw-qr.js";
import { createPairingDialog } from "../../../src/cli/setup/pairing-dialog.js";

/** A picture of what the rows of the terminal show, with `SCALE` pixels for each module. */
function read(rows: readonly string[]): string {
  const SCALE = 4;
  const lines = rows.map((row) => [...stripVTControlCharacters(row).slice(2)]);
  const modules = lines.flatMap((cells) =>
    ["█▀", "█▄"].map((dark) => cells.map((cell) => dark.includes(cell))),
  );
  const width = (modules[0]?.length ?? 0) * SCALE;
  const height = modules.length * SCALE;
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (modules[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)])
        data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return decodeQR({ width, height, data });
}

describe("a QR code", () => {
  it.each([
    "https://t.me/BotFather",
    "https://t.me/ara_atlas_bot?start=k7m2p9qx",
    `https://t.me/${"a".repeat(32)}?start=abcdefgh`,
    "ü".repeat(20),
    "z".repeat(106),
  ])("of %s is read as this text", (text) => {
    expect(read(drawQrCode(text, 80))).toBe(text);
  });

  it("is on the last 24 rows of the terminal while the dialog waits for the code", () => {
    let written = "";
    const output = { isTTY: true, columns: 80, write: (text: string) => (written += text) };
    const dialog = createPairingDialog({
      tokenFiles: [],
      accept: null,
      role: null,
      output: output as unknown as NodeJS.WriteStream,
    });
    // The longest name that a bot may have.
    const link = `https://t.me/${"a".repeat(32)}?start=abcdefgh`;
    const groupInvitation = "For a group: add the bot there, and write in it:\n\n  /start@a abcdefgh";
    dialog.showCode({ link, invitation: "Or send it this code:\n\n  abcdefgh", groupInvitation });
    const rows = written.trimEnd().split("\n");
    expect(rows.length).toBeGreaterThan(23);
    const drawn = rows.slice(-23).filter((row) => row.includes("\u001b"));
    expect(read(drawn)).toBe(link);
    expect(rows.at(-1)).toBe("Waiting for the code …");
  });

  it("takes one terminal row for two rows of modules, with a light border, and nothing where it does not fit", () => {
    const rows = drawQrCode("https://t.me/BotFather", 80).map(stripVTControlCharacters);
    expect(rows).toHaveLength(15);
    expect(rows[0]?.trim()).toBe("");
    expect(rows[1]).toMatch(/^ {4}█▀▀▀▀▀█ .* █▀▀▀▀▀█ {2}$/);
    expect(drawQrCode("https://t.me/BotFather", 30)).toEqual([]);
  });
});
