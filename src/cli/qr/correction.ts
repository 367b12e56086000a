/** Reed–Solomon correction codewords over GF(2^8), as QR codes use them. Pure. */

/** x^8 + x^4 + x^3 + x^2 + 1 */
const FIELD = 0x11d;

export function computeCorrection(data: readonly number[], count: number): number[] {
  const divisor = buildDivisor(count);
  let rest = Array<number>(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ (rest[0] ?? 0);
    rest = [...rest.slice(1), 0].map((value, at) => value ^ multiply(divisor[at] ?? 0, factor));
  }
  return rest;
}

/** The product of (x - 2^i) for i below `degree`, without its leading one; the highest power first. */
function buildDivisor(degree: number): number[] {
  let divisor: number[] = [...Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    const shifted = [...divisor.slice(1), 0];
    divisor = divisor.map((value, at) => multiply(value, root) ^ (shifted[at] ?? 0));
    root = multiply(root, 2);
  }
  return divisor;
}

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * FIELD);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}
