/** What a session can do besides answering prompts. Each is one power; an adapter offers those that it has. */
import type { Fingerprint, PromptId } from "../model/ids.js";
import type { InjectionGate, InjectionResult, ReaskResult } from "./adapter.js";
import type { ScreenCells } from "./view.js";

/** What people far away may ask of a session. */
export interface RemoteControls {
  /** What the tool shows now, or why that cannot be told. */
  screen(): { readonly text: string | null; readonly problem: string | null };
  /** The same, cell by cell. Absent where nothing is drawn. */
  cells?(): ScreenCells | null;
  /** Stops what the tool does. Returns why not, or null. */
  interrupt(): string | null;
  askAgain(promptId: PromptId, fingerprint: Fingerprint): ReaskResult;
}

/** Takes what the tool is to do next. */
export interface TaskInput {
  /** Never throws for anything the tool does: what became of the text is the result. */
  submit(text: string, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult>;
}
