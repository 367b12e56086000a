/**
 * Compiles adapter files. The build compiles the package's files ahead and stores each beside its text, because reading YAML would
 * dominate a run's start time. An edited file has another text.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { CompiledAdapter } from "../../worker/adapter-format/compiled/compiled.js";

/** Beside the bundle (written by build.mjs). From source there is none, and every file is compiled. */
const BUILT = join(import.meta.dirname, "compiled");
const ENDING = /\.yaml$/;

/** One of the build's files. */
interface BuiltAdapter {
  /** The whole adapter file. */
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
