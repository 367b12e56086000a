/** The loaded `coattach:` section of an adapter: plain data, as all of a `CompiledAdapter`; defaults filled in. */
import type { OptionShapes } from "../../process/command-line.js";
import type { CoattachSection } from "../coattach-file.js";
import { compileDrawnTest } from "./compile-hooks.js";
import type { DrawnTest } from "./compiled-hooks.js";

interface Common {
  readonly versions: string;
  readonly options: OptionShapes;
  readonly notWith: readonly string[];
}

export interface AppServerCoattach extends Common {
  readonly speaks: "app_server";
  /** `~/…` or `$NAME/…`; the first whose variable is set. */
  readonly sockets: readonly string[];
  readonly drawn: { readonly command: DrawnTest; readonly edits: DrawnTest };
}

export interface SessionServerCoattach extends Common {
  readonly speaks: "session_server";
  readonly args: readonly string[];
  readonly drawn: Readonly<Record<string, DrawnTest>>;
}

export type CompiledCoattach = AppServerCoattach | SessionServerCoattach;

export function compileCoattach(section: CoattachSection): CompiledCoattach {
  const { versions, options, not_with: notWith } = section;
  const common = { versions, options, notWith };
  if (section.speaks === "session_server") {
    const { speaks, args, drawn } = section;
    const tests = Object.entries(drawn).map(([name, test]) => [name, compileDrawnTest(test)] as const);
    return { ...common, speaks, args, drawn: Object.fromEntries(tests) };
  }
  const { speaks, socket: sockets, drawn } = section;
  const tests = { command: compileDrawnTest(drawn.command), edits: compileDrawnTest(drawn.edits) };
  return { ...common, speaks, sockets, drawn: tests };
}
