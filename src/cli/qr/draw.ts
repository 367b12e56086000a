/** Draws a QR code with half blocks: two rows of modules in one row of the terminal. Pure. */
import { buildQrMatrix, type QrMatrix } from "./matrix.js";

/** Light modules around the code. The standard asks for four; phones read two, and more rows would push the text away. */
const QUIET = 2;
/** Dark ink on a light ground, whatever the terminal's own colours are. */
const INK = "\u001b[38;5;16;48;5;231m";
const RESET = "\u001b[0m";

/** The rows of the terminal; none if the text is too long or the terminal too narrow. */
export function drawQrCode(text: string, columns: number): string[] {
  const matrix = buildQrMatrix(text);
  if (matrix === null || matrix.length + 2 * QUIET + INDENT.length > columns) return [];
  const size = matrix.length + 2 * QUIET;
  return Array.from({ length: Math.ceil(size / 2) }, (_, row) => {
    const cells = Array.from({ length: size }, (_each, column) => {
      const upper = isDark(matrix, 2 * row - QUIET, column - QUIET);
      const lower = isDark(matrix, 2 * row + 1 - QUIET, column - QUIET);
      return upper ? (lower ? "█" : "▀") : lower ? "▄" : " ";
    });
    return `${INDENT}${INK}${cells.join("")}${RESET}`;
  });
}

const INDENT = "  ";

function isDark(matrix: QrMatrix, row: number, column: number): boolean {
  return matrix[row]?.[column] ?? false;
}
