/** A loaded adapter: plain data, so that it can be cached as JSON and shared. Patterns stay strings (`pattern.ts`). */
import type { AgentOffer } from "../acp-file.js";
import type { ControlKey } from "../../../model/answer/screen-keys.js";
import type { ChoiceIntent, PromptType, SafetyClass } from "../../../model/prompt.js";
import type { AdapterCode } from "../../../sdk/adapter-code.js";
import type { CheckListKeys } from "../../../sdk/candidate.js";
import type { CompiledCoattach } from "./compiled-coattach.js";
import type { CompiledHeadless } from "./compiled-headless.js";
import type { CompiledHooks } from "./compiled-hooks.js";
import type {
  ButtonKind,
  EntryPlace,
  InterruptKey,
  LiveProof,
  MarkKind,
  Shape,
  ClearingKey,
} from "../adapter-file.js";
import type { FrameKind } from "../frame-kinds.js";

export interface CompiledChoice {
  readonly label: string;
  readonly intent: ChoiceIntent;
  readonly takesText?: "optional" | "required";
  readonly textKeys?: readonly string[];
  readonly key?: string;
  readonly textTo?: "composer";
  readonly endsTool: boolean;
}

export interface ListParameters {
  readonly glyphs: readonly string[];
  readonly marks: readonly MarkKind[];
  readonly unmarked: readonly string[];
  readonly chosen: readonly string[];
  readonly chosenBehind: readonly string[];
  readonly ticks: { readonly ticked: readonly string[]; readonly unticked: readonly string[] };
  readonly skip: readonly string[];
  /** Rows that are below the list however they are set in: its footer. */
  readonly ends: readonly string[];
  readonly edge: string | null;
  readonly faint: boolean;
  readonly note: boolean;
  readonly plain: boolean;
  readonly wraps: boolean;
  readonly order: "down" | "up";
  readonly rowsMin: number;
  readonly numbers: "required" | "none" | "either";
  readonly live: readonly LiveProof[];
  readonly buttons: readonly string[];
  readonly extra: readonly string[];
  readonly details: "below" | "beside" | "none";
  readonly loose: boolean;
  readonly more: readonly string[];
  readonly last: string | null;
  readonly fields: "none" | "shown" | "hidden";
}

/** A choice for a key, where rows of the list are not drawn. */
export interface HiddenChoice {
  readonly label: string;
  readonly key: string;
  readonly intent: ChoiceIntent;
  readonly textTo?: "composer";
}

export interface CompiledRule {
  readonly name: string;
  readonly shape: Shape;
  readonly safetyClass: SafetyClass;
  readonly fitsAnyMenu: boolean;
  readonly hasTitleAboveLine: boolean;
  readonly promptType: PromptType;
  readonly score: number;
  readonly question: string | null;
  readonly requires: readonly string[];
  readonly forbids: readonly string[];
  readonly list: ListParameters | null;
  readonly frame: FrameKind | null;
  readonly tty: "raw" | "line" | null;
  readonly readsInside: boolean;
  readonly programs: readonly string[];
  readonly header: string | null;
  readonly buttons: ButtonKind | null;
  readonly entry: readonly EntryPlace[];
  readonly clear: string | null;
  readonly top: string | null;
  readonly start: string | null;
  readonly queue: string | null;
  readonly footer: readonly string[];
  readonly field: string | null;
  readonly tail: string | null;
  readonly cut: readonly string[];
  readonly content: "body" | "dialog" | "none";
  readonly choices: readonly CompiledChoice[];
  readonly ifHidden: HiddenChoice | null;
  readonly answer: "digit" | "arrows" | "line" | "key";
  readonly checkList: CheckListKeys | null;
  readonly textMax: number;
  /** The prompt must be still this long before it is raised. */
  readonly stableMs: number;
  /** For so long after it was raised the tool may drop keys. */
  readonly dropsKeysMs: number;
}

export interface StatePattern {
  readonly pattern: string;
  /** Lowest rows that are looked at, blank ones not counted. */
  readonly rows: number;
  /** Only the row that ends at the cursor, or the first row of the input box that holds the cursor; null: any of `rows`. */
  readonly at: "cursor" | "composer" | null;
}

/** Finds the tool's last answer on the screen. All are patterns. */
export interface LastAnswer {
  readonly asked: string;
  readonly begins: string;
  readonly ends: string;
  readonly drop: readonly string[];
  readonly marked: boolean;
}

/** The box in which a person tells the tool what to do. `row` and `below` are patterns. */
export interface Composer {
  /** Null: it is known by its rows alone. */
  readonly frame: FrameKind | null;
  readonly row: string;
  readonly below: string;
  readonly faint: readonly number[];
  /** Null: no key is known that empties it. */
  readonly clear: ClearingKey | null;
}

/** Whether the tool asks at all depends on how it is started; this says so honestly. */
export interface AskingMode {
  readonly args: readonly string[];
  readonly option: string | null;
  readonly asks: readonly string[];
  readonly neverAsksFlags: readonly string[];
  readonly note: string;
}

/** An agent may start in a mode in which it asks nobody. */
export interface AgentAsking {
  /** The modes in which it asks, the one to begin with first. */
  readonly modes: readonly string[];
  /** The note on all other modes. */
  readonly note: string;
}

export interface AgentStart {
  /** Executable and arguments. */
  readonly command: readonly string[];
  /** The command that installs its executable; null if that is the tool itself. */
  readonly install: string | null;
  readonly offers: readonly AgentOffer[];
  /** Null: it asks in all of its modes, as far as anybody knows. */
  readonly asking: AgentAsking | null;
}

export type PlainRules = Pick<CompiledAdapter, "rules" | "passivePrograms" | "noMenus">;

/** A file of the user. It is a program: nothing that it says is started before the user agreed to it. */
export interface OwnFile {
  readonly file: string;
  /** All that decides what runs: the file, and a script that lies beside it. */
  readonly text: string;
  /** Programs that it may start: executables, or whole commands. */
  readonly programs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface CompiledAdapter {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly supportedVersions: string | null;
  /** Made from recordings of the tool itself. */
  readonly tested: boolean;
  readonly aliases: readonly string[];
  readonly process: {
    /** Tried in order; empty means the adapter's name. */
    readonly executables: readonly string[];
    /** The command that installs it; null if nobody has said. */
    readonly install: string | null;
    readonly env: Readonly<Record<string, string>>;
  };
  /** The name under which it reports by OSC 7501; null when it does not, or is not believed. */
  readonly signals: { readonly programStatus: string | null };
  /** Hooks by which it reports its prompts; null if it has none. */
  readonly hooks: CompiledHooks | null;
  /** How it is joined while it runs in its own terminal. */
  readonly coattach: CompiledCoattach | null;
  /** How it speaks the Agent Client Protocol; null where it is not known to. */
  readonly acp: AgentStart | null;
  /** How it is run without its interface; null: nobody has said how. */
  readonly headless: CompiledHeadless | null;
  readonly states: Readonly<Record<"working" | "waiting" | "idle", readonly StatePattern[]>>;
  readonly lastAnswer: LastAnswer | null;
  /** Where it takes its next task; null where nobody can give it one. */
  readonly composer: Composer | null;
  /** In lower case: whole texts that its input box takes for commands, though they begin as words do; null where it has no such box. */
  readonly commands: readonly string[] | null;
  /** Keys that interrupt the tool, pressed one after the other; empty if unknown. */
  readonly interrupt: readonly InterruptKey[];
  readonly asking: AskingMode | null;
  readonly unread: "screen" | "line" | "none";
  /** Offered on what no rule reads, besides the keys that every such screen takes. */
  readonly unreadKeys: readonly ControlKey[];
  readonly passivePrograms: readonly string[];
  /** Their drawn lists ask nothing. */
  readonly noMenus: readonly string[];
  readonly rules: readonly CompiledRule[];
  /** What any program asks on a plain line, for an agent that others may run below. It is added when the adapter is loaded. */
  readonly plain?: PlainRules;
  /** Code, not data: added when the adapter is loaded. */
  readonly code?: AdapterCode;
  /** Absent: it is of the package, or of a signed bundle. It is added when the adapter is loaded. */
  readonly own?: OwnFile;
}
