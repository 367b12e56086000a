/** What a command prints contains no control character of a file's or a tool's texts, neither for people nor as JSON. */
import { afterEach, expect, it, vi } from "vitest";
import { printResult } from "../../../src/cli/output.js";

const HOSTILE = "1.0\u001b]0;owned\u0007\u009b31m\u007f";

afterEach(() => void vi.restoreAllMocks());

async function print(json: boolean): Promise<string> {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  await printResult(
    json,
    () => Promise.resolve({ version: HOSTILE }),
    ({ version }) => ["adapters", `tiny ${version}`],
  );
  return written.join("");
}

it("is visible where a text contains it", async () => {
  expect(await print(false)).toBe("adapters\ntiny 1.0‹U+001B›]0;owned‹U+0007›‹U+009B›31m‹U+007F›\n");
});

it("is escaped in JSON", async () => {
  const printed = await print(true);
  expect(printed).toMatch(/^[\u0020-\u007e]+\n$/);
  expect(JSON.parse(printed)).toEqual({ status: "success", data: { version: HOSTILE } });
});
