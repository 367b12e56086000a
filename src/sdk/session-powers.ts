/** Optional capabilities of a session besides answering prompts. An adapter offers those it has. */
import type { Fingerprint, PromptId } from "../model/ids.js";
import type { InjectionGate, InjectionResult, ReaskResult } from "./adapter.js";
import type { ScreenCells } from "./view.js";

/** What people can request from a session remotely. */
export interface RemoteControls {
  /** The tool's current screen, or why it is unavailable. */
  screen(): { readonly text: string | null; readonly problem: string | null };
  /** The same, cell by cell. Absent if the screen is empty. */
  cells?(): ScreenCells | null;
  /** Interrupts the tool. Returns why it failed, or null. */
  interrupt(): string | null;
  askAgain(promptId: PromptId, fingerprint: Fingerprint): ReaskResult;
}

/** Accepts the tool's next task. */
export interface TaskInput {
  /**
   * Never throws for anything the tool does: the result says what happened. `clears`: the hash of a draft that a person allowed to
   * be cleared away first.
   */
  submit(
    text: string,
    gate: InjectionGate,
    options?: { readonly halt?: AbortSignal; readonly clears?: string | undefined },
  ): Promise<InjectionResult>;
  /** The text in its input box that can be cleared; null if the box is empty, or if no key for that is known. */
  draft?(): BoxDraft | null;
}

/** What somebody has left in the tool's input box. */
export interface BoxDraft {
  readonly text: string;
  /** Digest of exactly this text: a person's permission to clear it holds for no other. */
  readonly hash: string;
}
