/** Draws a QR code with half blocks: two rows of modules in each row of the terminal. */
import encodeQR from "qr";

/** Light modules around the code. The standard asks for four, phones need two, and more would scroll the text away. */
const QUIET = 2;
/** Dark on light, whatever the terminal's colours are. */
const INK = "\u001b[38;5;16;48;5;231m";
const RESET = "\u001b[0m";
const INDENT = "  ";

/** Empty if the terminal is too narrow. */
export function drawQrCode(text: string, columns: number): string[] {
  const rows = encodeQR(text, "raw", { ecc: "low", border: QUIET });
  if (rows.length + INDENT.length > columns) return [];
  return Array.from({ length: Math.ceil(rows.length / 2) }, (_, at) => {
    const cells = rows.map((_row, column) => {
      const lower = rows[2 * at + 1]?.[column];
      return rows[2 * at]?.[column] ? (lower ? "█" : "▀") : lower ? "▄" : " ";
    });
    return `${INDENT}${INK}${cells.join("")}${RESET}`;
  });
}
