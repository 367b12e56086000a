/** Whether what somebody typed at the terminal gives the tool a task: then whatever comes is asked by the tool. Pure. */
import type { View } from "../../../sdk/view.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { findComposer, isCommand, readDraft } from "../composer.js";
import { splitKeys } from "../keys.js";

const ENTER = "\r";
/** A single word may be the name of a command that the adapter file does not know. */
const TASK = /\S\s+\S/u;

export type Typed = "task" | "perhaps a task" | "no task";

/**
 * `view`: the screen before the tool read the keys. The words may be in the box already, or come in the same read as their Enter.
 */
export function classifyTyped(adapter: CompiledAdapter, view: View, input: Uint8Array): Typed {
  const keys = splitKeys(Buffer.from(input).toString("utf8"));
  const end = keys.indexOf(ENTER);
  if (end < 0) return "no task";
  const box = findComposer(adapter, view);
  const typed = keys.slice(0, end);
  const isEdited = typed.some((key) => [...key].length !== 1 || key < " ");
  if (box === null || adapter.composer === null || isEdited) return "perhaps a task";
  const text = readDraft(adapter.composer, box) + typed.join("");
  if (isCommand(adapter, text)) return "no task";
  return TASK.test(text) ? "task" : "perhaps a task";
}
