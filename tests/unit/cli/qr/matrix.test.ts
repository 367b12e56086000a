/**
 * QR codes are those that another encoder (uqr 0.1.3, level L) makes of the same text, in every version that fits our links; a
 * reader (jsQR) has read each of them.
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { buildQrMatrix } from "../../../../src/cli/qr/matrix.js";
import { drawQrCode } from "../../../../src/cli/qr/draw.js";

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

function withoutColours(row: string): string {
  return row.replace(COLOUR, "");
}

function digest(text: string): string {
  const rows = buildQrMatrix(text) ?? [];
  const drawn = rows.map((row) => row.map(Number).join("")).join("\n");
  return createHash("sha256").update(drawn).digest("hex").slice(0, 16);
}

describe("a QR code", () => {
  it.each([
    ["x".repeat(17), 21, "714ce3d4a6c70750"],
    ["b".repeat(20), 25, "81ccc704c36c380a"],
    ["https://t.me/ara_atlas_bot?start=k7m2p9qx", 29, "35dc7608cf119385"],
    ["ü".repeat(20), 29, "9e33250b2d0645b8"],
    [`https://t.me/${"a".repeat(32)}?start=abcdefgh`, 33, "c70b5ab547adbe31"],
    ["z".repeat(106), 37, "46648fcaedff40ef"],
  ])("of %s has %i rows", (text, size, expected) => {
    expect(buildQrMatrix(text)).toHaveLength(size);
    expect(digest(text)).toBe(expected);
  });

  it("is not made of a text that is too long", () => {
    expect(buildQrMatrix("z".repeat(107))).toBeNull();
  });

  it("takes one terminal row for two rows of modules, with a light border, and nothing where it does not fit", () => {
    const rows = drawQrCode("https://t.me/BotFather", 80).map(withoutColours);
    expect(rows).toHaveLength(15);
    expect(rows[0]?.trim()).toBe("");
    expect(rows[1]).toMatch(/^ {4}█▀▀▀▀▀█ .* █▀▀▀▀▀█ {2}$/);
    expect(drawQrCode("https://t.me/BotFather", 30)).toEqual([]);
  });
});
