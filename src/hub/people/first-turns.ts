/**
 * Distinguishes a tool that has just started from one that has finished a turn: the person who started it sees that it is ready
 * and needs no message. In memory only: a session that was open before the hub counts as past its start.
 */
import type { SessionId } from "../../model/ids.js";

/** Tools that load servers and settings draw that like work. It rarely takes longer. */
export const START_MS = 30_000;

interface Start {
  readonly openedAt: number;
  hasWorked: boolean;
  /** Whatever it does from here on is a turn. */
  isUsed: boolean;
}

export class FirstTurns {
  readonly #starts = new Map<SessionId, Start>();

  noteOpened(sessionId: SessionId, at: number): void {
    this.#starts.set(sessionId, { openedAt: at, hasWorked: false, isUsed: false });
  }

  noteWorking(sessionId: SessionId): void {
    const start = this.#starts.get(sessionId);
    if (start) start.hasWorked = true;
  }

  /** Something may have begun a turn: a key, a task or a prompt. Work alone does not: tools draw their start in several parts. */
  noteUse(sessionId: SessionId): void {
    const start = this.#starts.get(sessionId);
    if (start) start.isUsed = true;
  }

  /**
   * Called when the tool becomes idle. Whether that only ends its start; every later rest ends a turn. `said`: its last message. Once
   * somebody typed, a message proves a turn, even one that was over before its worker reached the hub. A key alone proves none: it may
   * have answered the question whether to trust the folder.
   */
  isOnlyStarted(sessionId: SessionId, now: number, said: string | null): boolean {
    const start = this.#starts.get(sessionId);
    if (!start || (start.isUsed && said !== null)) return false;
    return !start.hasWorked || now - start.openedAt < START_MS;
  }

  forget(sessionId: SessionId): void {
    this.#starts.delete(sessionId);
  }
}
