/** Of a block that is typed line by line the output is whole, also where only some of its lines print much. */
import { makeFileFolder } from "../../../../../support/temporary-folder.js";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { joinOutputs } from "../../../../../../src/worker/runtimes/program/output/join-outputs.js";
import { OutputCapture } from "../../../../../../src/worker/runtimes/program/output/output-capture.js";

const folder = makeFileFolder("join-outputs");

function capture(name: string, text: string) {
  const output = new OutputCapture({
    size: () => ({ cols: 80, rows: 24 }),
    folder,
    name,
    bareLineFeeds: false,
    isEditing: () => false,
  });
  output.push(Buffer.from(text.replaceAll("\n", "\r\n")));
  return output.end("");
}

it("of lines that print little is their text and their bytes, without files", () => {
  const joined = joinOutputs([capture("c1", "a\n"), capture("c1-1", "b\n")], { folder, name: "c1-all" });
  expect(joined).toMatchObject({ text: "a\nb\n", bytes: 6, file: null, rawFile: null, isExact: true });
  expect(Buffer.from(joined.raw).toString()).toBe("a\r\nb\r\n");
});

it("has the whole in files where one line prints much", () => {
  const long = Array.from({ length: 20_000 }, (_, n) => `${n}\n`).join("");
  const parts = ["first\n", long, "last\n"];
  const outputs = parts.map((text, at) => capture(`c2-${at}`, text));
  const { file, rawFile, bytes, cut } = joinOutputs(outputs, { folder, name: "c2-all" });
  expect(cut).toBeGreaterThan(0);
  expect(readFileSync(file ?? "", "utf8")).toBe(parts.join(""));
  expect(readFileSync(rawFile ?? "", "utf8")).toBe(parts.join("").replaceAll("\n", "\r\n"));
  expect(bytes).toBe(readFileSync(rawFile ?? "").length);
});
