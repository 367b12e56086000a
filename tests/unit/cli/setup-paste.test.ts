/** What `setup` prints to be pasted elsewhere is valid there, however narrow the terminal is. */
import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { PREPARATION } from "../../../channels/slack/pairing.js";
import manifest from "../../../channels/slack/manifest.json" with { type: "json" };
import { printTo } from "../../../src/cli/setup/pairing-dialog.js";

function print(text: string, columns: number): string {
  let printed = "";
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      printed += chunk.toString();
      done();
    },
  });
  const terminal = Object.assign(stream, { isTTY: true, columns }) as unknown as NodeJS.WriteStream;
  for (const line of text.split("\n")) printTo(terminal, line);
  return printed;
}

it.each([200, 100, 80, 40, 0])("Slack's manifest is the same JSON with %d columns", (columns) => {
  const block = /^\{$[^]*^\}$/m.exec(print(PREPARATION, columns))?.[0] ?? "";
  expect(JSON.parse(block)).toEqual(manifest);
});

it("words are wrapped", () => {
  expect(print("Install it to the workspace.", 20)).toBe("Install it to the\nworkspace.\n");
});
