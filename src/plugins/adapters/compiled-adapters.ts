/**
 * Compiles adapter files. The build compiles the package's files ahead and stores them by the hash of their text, because
 * reading YAML would dominate a run's start time. An edited file has another hash.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CompiledAdapter } from "../../worker/adapter-format/compiled/compiled.js";

/** Beside the bundle (written by build.mjs). From source there is none, and every file is compiled. */
const BUILT = join(dirname(fileURLToPath(import.meta.url)), "adapters.json");

type BuiltAdapters = Readonly<Record<string, CompiledAdapter>>;
let built: BuiltAdapters | undefined;

function loadBuiltAdapters(): BuiltAdapters {
  return (built ??= existsSync(BUILT) ? (JSON.parse(readFileSync(BUILT, "utf8")) as BuiltAdapters) : {});
}

/** Compiles `text`, the content of `file`. Errors: ATB_ADAPTER_INVALID. */
export async function compileText(text: string, file: string): Promise<CompiledAdapter> {
  const known = loadBuiltAdapters()[createHash("sha256").update(text).digest("hex")];
  if (known) return known;
  const { compileAdapter } = await import("../../worker/adapter-format/compiled/compile-rules.js");
  return compileAdapter(text, file);
}
