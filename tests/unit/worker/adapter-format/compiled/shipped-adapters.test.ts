/** The build holds every shipped adapter file as it is compiled from its text. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compileAdapter } from "../../../../../src/worker/adapter-format/compiled/compile-rules.js";

const FILES = readdirSync("adapters").filter((file) => file.endsWith(".yaml"));

it.each(FILES)("the build holds %s as it is compiled from its text", (file) => {
  const text = readFileSync(join("adapters", file), "utf8");
  const built = readFileSync(join("dist/compiled", file.replace(".yaml", ".json")), "utf8");
  expect(JSON.parse(built)).toEqual({ text, compiled: compileAdapter(text, file) });
});
