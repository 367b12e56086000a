/** Compiles adapter files. The build stores the package's files compiled, because reading YAML would dominate the start of a run. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { CompiledAdapter } from "../../worker/adapter-format/compiled/compiled.js";

/** Written by build.mjs. From source it is missing, and every file is compiled. */
const BUILT = join(import.meta.dirname, "compiled");
const ENDING = /\.yaml$/;

interface BuiltAdapter {
  readonly text: string;
  readonly compiled: CompiledAdapter;
}

/** Compiles `text`, the content of `file`. Errors: ATB_ADAPTER_INVALID. */
export async function compileText(text: string, file: string): Promise<CompiledAdapter> {
  const built = readBuilt(basename(file).replace(ENDING, ".json"));
  if (built?.text === text) return built.compiled;
  const { compileAdapter } = await import("../../worker/adapter-format/compiled/compile-rules.js");
  return compileAdapter(text, file);
}

function readBuilt(name: string): BuiltAdapter | null {
  try {
    return JSON.parse(readFileSync(join(BUILT, name), "utf8")) as BuiltAdapter;
  } catch {
    return null;
  }
}
