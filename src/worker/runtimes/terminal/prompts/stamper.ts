/** Gives what a terminal's tool asks its identity: a dialog with all that is known of it, or a request as it came. */
import { stamp } from "../../../detection/stamp.js";
import type { DialogPreviews } from "../../side-channel.js";
import type { PtyAdapterOptions } from "../pty-adapter-options.js";
import { isStoppable } from "../stop-tool.js";
import type { PromptRegistryOptions } from "./prompt-registry-options.js";

export function stamper(
  { sessionId, random, clock, redact, adapter }: PtyAdapterOptions,
  previews: DialogPreviews | null,
): PromptRegistryOptions["stamp"] {
  const known = { sessionId, random, clock, redact, stoppable: isStoppable(adapter) };
  const options = { ...known, notesTextAbove: adapter.unread === "line" };
  return (question, epoch, source) =>
    stamp(previews?.complete(question) ?? question, epoch, { ...options, source });
}
