/**
 * Marks a dialog in a terminal that another program has opened: that program may have drawn it, and the answer goes to the tool
 * (ADR 13). The mark is part of its identity, so that an earlier card cannot answer it.
 */
import { createHash } from "node:crypto";
import { asId, type Fingerprint } from "../../../model/ids.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { OPENED_BEFORE_MS, REDRAWN_WITHIN_MS } from "./tracker-limits.js";

export interface TerminalUsers {
  readonly readUse: () => { readonly isOpened: boolean; readonly isWritten: boolean };
  /** Finds the processes of the tool's session, which can write to its terminal as `/dev/tty`. */
  readonly findMembers: () => readonly string[];
}

export interface OpenWatchLook {
  /** The tool has drawn something that is known. */
  readonly isStarted: boolean;
  /** An answer was typed, and its effect is awaited. */
  readonly isAnswered: boolean;
  readonly now: number;
}

export class OpenWatch {
  readonly #users: TerminalUsers;
  /** The tool and its first processes; null during the start, when it opens its own terminal. */
  #members: ReadonlySet<string> | null = null;
  /** Whether there were other members when the dialog came, or when somebody wrote. */
  #hasOthers = false;
  #openedAt = -Infinity;
  #writtenAt = -Infinity;
  /** Since when dialogs are drawn, one after another. */
  #drawnAt: number | null = null;
  #goneAt: number | null = null;
  #isMarked = false;

  constructor(users: TerminalUsers) {
    this.#users = users;
  }

  update(candidate: Candidate | null, { isStarted, isAnswered, now }: OpenWatchLook): Candidate | null {
    const isWritten = this.#noteUse(now);
    if (isStarted) this.#members ??= new Set(this.#users.findMembers());
    if (candidate === null) {
      this.#goneAt ??= now;
      return null;
    }
    // A redraw erases it for an instant.
    if (this.#goneAt !== null && now - this.#goneAt > REDRAWN_WITHIN_MS) this.#drawnAt = null;
    if (this.#drawnAt === null) this.#hasOthers = this.#findOthers();
    else if (isWritten) this.#hasOthers ||= this.#findOthers();
    this.#goneAt = null;
    this.#drawnAt ??= now;
    if (!isAnswered) this.#isMarked = this.#isOpenedSince(this.#drawnAt - OPENED_BEFORE_MS);
    return this.#isMarked ? mark(candidate) : candidate;
  }

  #noteUse(now: number): boolean {
    const { isOpened, isWritten } = this.#users.readUse();
    if (this.#members === null) return false;
    if (isOpened) this.#openedAt = now;
    if (isWritten) this.#writtenAt = now;
    return isWritten;
  }

  /** Any terminal of the machine is written to as `/dev/tty`; this one only by a member of its session. */
  #isOpenedSince(instant: number): boolean {
    return this.#openedAt >= instant || (this.#writtenAt >= instant && this.#hasOthers);
  }

  #findOthers(): boolean {
    return this.#users.findMembers().some((member) => this.#members?.has(member) !== true);
  }
}

function mark(candidate: Candidate): Candidate {
  const { fingerprint, torn } = candidate;
  return {
    ...candidate,
    opened: true,
    fingerprint: markIdentity(fingerprint),
    ...(torn !== undefined && { torn: markIdentity(torn) }),
  };
}

function markIdentity(fingerprint: Fingerprint): Fingerprint {
  return asId<Fingerprint>(createHash("sha256").update(`opened ${fingerprint}`).digest("hex"));
}
