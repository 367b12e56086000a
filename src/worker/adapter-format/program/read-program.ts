/** Reads a program file. It stays as its author wrote it, with the defaults filled in. */
import { dirname, join } from "node:path";
import { readFileSync } from "node:fs";
import { parseYaml } from "../../../config/yaml-file.js";
import { AtlasBridgeError } from "../../../model/errors.js";
import { ADAPTER_INVALID, createAdapterError } from "../adapter-refusal.js";
import type { ProgramFile } from "./program-file.js";
import { linkedProgram } from "./program-links.js";
import { addSections } from "./schema-sections.js";

/** Where files of the ripple adapter schema have their scripts, beside the folder of the adapters. */
const SCRIPTS = "ShellIntegration";

/** Notes for `adapter check` on keys of a file that have no effect. */
export interface ReadProgram {
  readonly program: ProgramFile;
  readonly file: string;
  /** The text of its integration script, or null. */
  readonly script: string | null;
  readonly notes: readonly string[];
}

/** Errors: ATB_ADAPTER_INVALID with line, column, the problem and a suggestion. */
export function readProgram(text: string, file: string): ReadProgram {
  const program = parseProgram(text, file);
  return { program, file, script: findScript(program, file), notes: findNotes(program) };
}

function parseProgram(text: string, file: string): ProgramFile {
  try {
    return parseYaml(text, file, linkedProgram, ADAPTER_INVALID);
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    throw createAdapterError(addSections(error.message), error.hint);
  }
}

function findScript({ init, integration_script: own }: ProgramFile, file: string): string | null {
  if (init.script_resource === undefined) return init.script ?? own ?? null;
  const folder = dirname(file);
  const paths = [folder, join(folder, "..", SCRIPTS)].map((place) => join(place, init.script_resource ?? ""));
  for (const path of paths)
    try {
      return readFileSync(path, "utf8");
    } catch {
      // The next place is tried.
    }
  throw createAdapterError(
    `${file}: "init.script_resource": ${paths.join(" and ")} cannot be read`,
    `Put the script beside the file, or into a folder ${SCRIPTS} beside the file's folder.`,
  );
}

/** The seed wants these said and not refused. */
function findNotes({ prompt, tests, family, modes, capabilities, commands }: ProgramFile): readonly string[] {
  const lonely = (prompt.continuation_escape === undefined) !== (prompt.continuation === undefined);
  const isUseless = lonely && prompt.continuation_escape !== undefined;
  return [
    ...(isUseless ? ['"continuation_escape" without "continuation" is ignored'] : []),
    ...modes
      .filter(({ nested, level_capture: level }) => nested && level === null)
      .map(({ name }) => `mode "${name}" tells no level: "nested" without "level_capture"`),
    ...(capabilities.meta_commands && !commands ? ['"meta_commands" without "commands" says nothing'] : []),
    ...(tests.length < TESTS_MIN
      ? [`${tests.length} of at least ${TESTS_MIN} contract tests for a ${family}`]
      : []),
  ];
}

const TESTS_MIN = 5;
