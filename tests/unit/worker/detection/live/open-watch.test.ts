/** A dialog is marked if a program opened the terminal while it was drawn or shortly before, and becomes another prompt by that. */
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import { isSame } from "../../../../../src/worker/detection/layout/fingerprint.js";
import { OpenWatch } from "../../../../../src/worker/detection/live/open-watch.js";
import {
  OPENED_BEFORE_MS,
  REDRAWN_WITHIN_MS,
} from "../../../../../src/worker/detection/live/tracker-limits.js";
import { makeCandidate } from "../../answer/make.js";
import { bashDialog, composer, drawBytes, IDLE } from "../screens.js";
import { Session } from "../session.js";

const dialog = makeCandidate({});

/** A watch of a tool that has started, and what its looks find. */
class Looks {
  members: readonly string[] = ["tool"];
  #use = { isOpened: false, isWritten: false };
  #now = 0;
  readonly #watch = new OpenWatch({
    readUse: () => {
      const use = this.#use;
      this.#use = { isOpened: false, isWritten: false };
      return use;
    },
    findMembers: () => this.members,
  });

  constructor() {
    this.look(null);
  }

  open(): this {
    this.#use = { ...this.#use, isOpened: true };
    return this;
  }

  write(): this {
    this.#use = { ...this.#use, isWritten: true };
    return this;
  }

  wait(ms: number): this {
    this.#now += ms;
    return this;
  }

  look(candidate: Candidate | null, isAnswered = false): Candidate | null {
    return this.#watch.update(candidate, { isStarted: true, isAnswered, now: this.#now });
  }
}

describe("a dialog in a terminal that another program opens", () => {
  it("is marked from then on, and is another prompt", () => {
    const looks = new Looks();
    expect(looks.look(dialog)).toBe(dialog);
    const marked = looks.wait(60_000).open().look(dialog)!;
    expect(marked).toMatchObject({ opened: true, question: dialog.question });
    expect(marked.fingerprint).not.toBe(dialog.fingerprint);
    expect(isSame(dialog, marked) || isSame(marked, dialog)).toBe(false);
    const later = looks.wait(3_600_000).look(dialog)!;
    expect(isSame(marked, later)).toBe(true);
  });

  it("is marked if it was opened a moment before", () => {
    const looks = new Looks().open();
    looks.look(null);
    expect(looks.wait(OPENED_BEFORE_MS).look(dialog)?.opened).toBe(true);
  });

  it("is not marked if it was opened long before", () => {
    const looks = new Looks().open();
    looks.look(null);
    expect(looks.wait(OPENED_BEFORE_MS + 1).look(dialog)).toBe(dialog);
  });

  it("keeps the mark over a redraw that erases it for an instant", () => {
    const looks = new Looks();
    looks.open().look(dialog);
    looks.wait(OPENED_BEFORE_MS * 2).look(null);
    expect(looks.wait(REDRAWN_WITHIN_MS).look(dialog)?.opened).toBe(true);
  });

  it("has no mark once another dialog comes later", () => {
    const looks = new Looks();
    looks.open().look(dialog);
    looks.wait(OPENED_BEFORE_MS).look(null);
    expect(looks.wait(REDRAWN_WITHIN_MS + 1).look(dialog)).toBe(dialog);
  });

  it("keeps what it is while the effect of an answer is awaited", () => {
    const looks = new Looks();
    looks.look(dialog);
    expect(looks.open().look(dialog, true)).toBe(dialog);
    expect(looks.look(dialog)?.opened).toBe(true);
  });

  it("is not marked by what a tool does while it starts", () => {
    const watch = new OpenWatch({
      readUse: () => ({ isOpened: true, isWritten: true }),
      findMembers: () => [],
    });
    watch.update(null, { isStarted: false, isAnswered: false, now: 0 });
    expect(watch.update(dialog, { isStarted: true, isAnswered: false, now: 1 })).toBe(dialog);
  });
});

describe("a dialog while somebody writes to a terminal as /dev/tty", () => {
  it("is not marked while the tool is alone with what it started with", () => {
    const looks = new Looks();
    looks.look(dialog);
    expect(looks.write().look(dialog)).toBe(dialog);
  });

  it("is marked if the session has another member", () => {
    const looks = new Looks();
    looks.look(dialog);
    looks.members = ["tool", "painter"];
    expect(looks.write().look(dialog)?.opened).toBe(true);
  });

  it("is marked if the session had another member when the dialog came", () => {
    const looks = new Looks();
    looks.members = ["tool", "painter"];
    looks.look(dialog);
    looks.members = ["tool"];
    expect(looks.write().look(dialog)?.opened).toBe(true);
  });

  it("is marked if another member wrote a moment before", () => {
    const looks = new Looks();
    looks.members = ["tool", "painter"];
    looks.write().look(null);
    expect(looks.wait(OPENED_BEFORE_MS).look(dialog)?.opened).toBe(true);
  });
});

describe("a live session whose terminal is opened", () => {
  const rows = bashDialog();
  const bytes = drawBytes(rows.rows, { alternate: true, cursorHidden: true, cursor: rows.cursor });
  const idle = drawBytes(composer(IDLE, ["some text"]), {
    alternate: true,
    cursorHidden: true,
    cursor: [2, 2],
  });

  it("replaces its prompt by one that says so", async () => {
    const session = new Session("claude");
    (await session.draw(idle)).wait(500);
    (await session.draw(bytes)).wait(500);
    expect(session.detector.pending?.candidate.opened).toBeUndefined();
    session.isOpened = true;
    session.detector.look();
    session.wait(1000);
    expect(session.detector.pending?.candidate.opened).toBe(true);
    expect(session.log).toEqual([
      "idle",
      "raise multiple_choice",
      "waiting",
      "withdraw superseded",
      "raise multiple_choice",
    ]);
  });
});
