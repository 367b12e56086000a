/**
 * The file format of shells, REPLs and debuggers, `schema: 1` (docs/how-to/add-a-program.md): the keys of
 * `adapters/programs/<program>.yaml`. Unknown keys are errors; reserved ones are refused with the reason.
 */
import * as v from "valibot";
import { PROGRAM_FAMILIES } from "../adapter-file.js";
import { webAddress } from "../file-parts.js";
import { inputSection } from "./input-section.js";
import { initSection, processSection, readySection } from "./launch-sections.js";
import { commandsSection, lifecycleSection, mode, signalsSection } from "./mode-sections.js";
import { script, word, words } from "./program-parts.js";
import { outputSection, promptSection } from "./prompt-sections.js";
import { capabilitiesSection, contractTest, probeSection } from "./test-sections.js";

const name = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_.+-]{0,39}$/, "expected a short name"));

export const programFile = v.strictObject({
  /** The version of this format. */
  schema: v.literal(1),
  /** The program, as people call it; the file is named after it. */
  name,
  /** The version of this file. */
  version: v.pipe(
    v.string(),
    v.regex(/^\d+\.\d+\.\d+(?:[-+][\w.+-]{1,40})?$/, "expected a version such as 1.2.3"),
  ),
  /** A description of the program. `adapter list` shows its first sentence. */
  description: words,
  /** Where the program comes from. */
  homepage: v.optional(webAddress),
  /** The program's own licence, as SPDX writes it. */
  license: v.optional(word),
  /** What kind of program it is. */
  family: v.picklist(PROGRAM_FAMILIES),
  /** Other names of the program. */
  aliases: v.optional(v.array(name), []),
  /** `false`: nobody has run it on this system yet. */
  tested: v.optional(v.boolean(), true),
  /** How it is started. */
  process: processSection,
  /** How it is seen that it is ready. */
  ready: readySection,
  /** How it is taught to mark its prompts. */
  init: initSection,
  /** How its prompt is found. */
  prompt: promptSection,
  /** What of its bytes is output. */
  output: outputSection,
  /** How commands are brought in. */
  input: inputSection,
  /** Modes that it can be in, with prompts of their own. */
  modes: v.optional(v.array(mode), []),
  /** Its own commands, as hints. */
  commands: v.optional(commandsSection),
  /** Keys that interrupt it, end its input, or suspend it. */
  signals: signalsSection,
  /** How it is ended. */
  lifecycle: lifecycleSection,
  /** The abilities of the program. */
  capabilities: capabilitiesSection,
  /** One command that shows whether it works. */
  probe: probeSection,
  /** What shows that this file works: `adapter test`. */
  tests: v.array(contractTest),
  /** The script of `init`, at the end of the file. */
  integration_script: v.optional(script),
});

export type ProgramFile = v.InferOutput<typeof programFile>;
export type ProgramMode = ProgramFile["modes"][number];
export type ContractTest = ProgramFile["tests"][number];
export type SequenceStep = ContractTest["setup_sequence"][number];
export type BalancedParens = NonNullable<ProgramFile["input"]["balanced_parens"]>;
