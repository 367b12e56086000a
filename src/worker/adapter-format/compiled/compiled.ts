/** A loaded adapter: plain data, so that it can be cached as JSON and shared. Patterns stay strings (`pattern.ts`). */
import type { AdapterCode } from "../../../sdk/adapter-code.js";
import type { compileChoice } from "./compile-choice.js";
import type {
  compileAcp,
  compileAdapter,
  compileAsking,
  compileList,
  compileRule,
  compileStatePattern,
} from "./compile-rules.js";
import type { Compiled } from "./plain-data.js";

export type CompiledChoice = Compiled<typeof compileChoice>;
export type ListParameters = Compiled<typeof compileList>;
export type CompiledRule = Compiled<typeof compileRule>;
export type StatePattern = Compiled<typeof compileStatePattern>;
export type AskingMode = NonNullable<Compiled<typeof compileAsking>>;
export type AgentStart = Compiled<typeof compileAcp>;
export type AgentAsking = NonNullable<AgentStart["asking"]>;
export type LastAnswer = NonNullable<CompiledAdapter["lastAnswer"]>;
export type Composer = NonNullable<CompiledAdapter["composer"]>;

/** A file of the user. It is a program: nothing that it says is started before the user agreed to it. */
export interface OwnFile {
  readonly file: string;
  /** All that decides what runs: the file, and a script that lies beside it. */
  readonly text: string;
  /** Programs that it may start: executables, or whole commands. */
  readonly programs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** `plain`, `code` and `own` are added when the adapter is loaded. */
export type CompiledAdapter = Compiled<typeof compileAdapter> & {
  /** What any program asks on a plain line, for an agent that others may run below. */
  readonly plain?: Pick<CompiledAdapter, "rules" | "passivePrograms" | "noMenus">;
  readonly code?: AdapterCode;
  /** Absent: it is of the package, or of a signed bundle. */
  readonly own?: OwnFile;
};
