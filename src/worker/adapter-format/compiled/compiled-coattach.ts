/** The loaded `coattach:` section of an adapter: plain data, as all of a `CompiledAdapter`; defaults filled in. */
import type { CoattachSection } from "../coattach-file.js";
import { compileDrawnTest } from "./compile-hooks.js";
import type { Compiled } from "./plain-data.js";

type Section<Speaks> = Extract<CoattachSection, { speaks: Speaks }>;

export type AppServerCoattach = Compiled<typeof compileAppServer>;
export type SessionServerCoattach = Compiled<typeof compileSessionServer>;

export function compileCoattach(section: CoattachSection) {
  return section.speaks === "app_server" ? compileAppServer(section) : compileSessionServer(section);
}

function compileAppServer({ not_with: notWith, socket: sockets, drawn, ...others }: Section<"app_server">) {
  const tests = { command: compileDrawnTest(drawn.command), edits: compileDrawnTest(drawn.edits) };
  return { ...others, notWith, sockets, drawn: tests };
}

function compileSessionServer({ not_with: notWith, drawn, ...others }: Section<"session_server">) {
  const tests = Object.entries(drawn).map(([name, test]) => [name, compileDrawnTest(test)] as const);
  return { ...others, notWith, drawn: Object.fromEntries(tests) };
}
