/** A command from the standard input is text, and not longer than the hub takes. */
import { expect, it } from "vitest";
import { readCommand } from "../../../../src/cli/console/read-command.js";

async function* pieces(...chunks: readonly (string | Uint8Array)[]) {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
}

it.each([
  [["for n in 1 2; do\n  ec", "ho $n\ndone\n\n"], "for n in 1 2; do\n  echo $n\ndone"],
  [[Buffer.from("ä").subarray(0, 1), Buffer.from("ä").subarray(1)], "ä"],
  [[], ""],
])("%j is the command %j", async (chunks, command) => {
  expect(await readCommand(pieces(...chunks))).toBe(command);
});

it("is refused where it is longer than 1 MiB, or no text", async () => {
  const half = "x".repeat(600_000);
  await expect(readCommand(pieces(half, half))).rejects.toThrow("longer than 1 MiB");
  await expect(readCommand(pieces(Buffer.from([0xff])))).rejects.toThrow("no UTF-8 text");
});
