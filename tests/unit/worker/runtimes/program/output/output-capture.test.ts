/** Whoever looks at a command that runs sees all that it printed, or its end and how much is left out. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OutputCapture } from "../../../../../../src/worker/runtimes/program/output/output-capture.js";

const open = (): OutputCapture => {
  const folder = mkdtempSync(join(tmpdir(), "output-capture-"));
  return new OutputCapture({
    size: () => ({ cols: 80, rows: 24 }),
    folder,
    name: "c1",
    bareLineFeeds: false,
    isEditing: () => false,
  });
};

it("a short output is shown whole while it comes, with the rows that may still change", () => {
  const capture = open();
  capture.push(Buffer.from("compiling\r\n10%\r20%\r\nname? "));
  expect(capture.peek()).toMatchObject({ text: "compiling\n20%\nname? ", cut: 0, isExact: true });
  expect(capture.end("").text).toBe("compiling\n20%\nname? ");
});

it.each([3000, 8000, 40_000])("of %i lines that came until now nothing is left out unsaid", (count) => {
  const capture = open();
  const lines = Array.from({ length: count }, (_, n) => `line ${n}`);
  for (let at = 0; at < count; at += 1000)
    capture.push(Buffer.from(lines.slice(at, at + 1000).join("\r\n") + "\r\n"));
  capture.push(Buffer.from("name? "));
  const whole = `${lines.join("\n")}\nname? `;
  const { text, cut } = capture.peek();
  if (cut === 0) expect(text).toBe(whole);
  else {
    const [told, ...end] = text.split("\n");
    expect(told).toBe(`[… ${cut} characters left out …]`);
    expect(whole.slice(cut)).toBe(end.join("\n"));
  }
  capture.end("");
});
