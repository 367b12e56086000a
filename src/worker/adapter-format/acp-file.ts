/**
 * The `acp:` section of an adapter file: how a tool is started as an agent of the Agent Client Protocol, and its known behaviour
 * as one.
 */
import * as v from "valibot";
import { line } from "./file-parts.js";
import { args } from "./placeholders.js";

/** What an agent that is talked to may be offered to have done for it. */
const AGENT_OFFERS = ["read_files", "write_files", "terminals"] as const;
export type AgentOffer = (typeof AGENT_OFFERS)[number];

export const acpSection = v.strictObject({
  /** An executable and its arguments. */
  command: v.pipe(args, v.minLength(1)),
  /** The command that installs the executable, where that is not the tool itself. */
  install: v.optional(line),
  /** Besides answers. */
  offers: v.optional(v.array(v.picklist(AGENT_OFFERS)), []),
  /** The modes in which it asks, the one to start with first, and a note on all others. */
  asking: v.optional(
    v.strictObject({
      /** By the agent's names; the first is the one to begin with. */
      modes: v.pipe(v.array(line), v.minLength(1)),
      /** The note that users see about every other mode. */
      note: line,
    }),
  ),
});
