/** For every keyboard habit of a tool, an answer reaches exactly the wanted row, and no byte of it goes into the next dialog. */
import { afterEach, describe, expect, it } from "vitest";
import type { InjectionResult } from "../../../../src/sdk/adapter.js";
import { byArrows, byDigit, Rig, type Manner } from "./rig.js";

const DOWN = "\u001b[B";
const UP = "\u001b[A";
const pasted = (text: string): string => `\u001b[200~${text}\u001b[201~`;
/** For adapters that are wrong on purpose: nobody waits long for an effect that cannot come. */
const QUICK = { timings: { stepWithinMs: 300, effectWithinMs: 300, enterAgainAfterMs: 300 } };

let rig: Rig;
afterEach(() => rig.close());

function start(manner: Manner, agent: string, ...options: string[]): Rig {
  rig = new Rig(manner, agent, ...options);
  return rig;
}

function readOutcome(result: InjectionResult): string {
  return result.kind === "receipt" ? result.receipt.outcome : `refused: ${result.rejection.code}`;
}

describe("a tool whose digits act at once", () => {
  it("gets exactly the digit; the question queued behind gets nothing", async () => {
    start(byDigit, "digit-acts");
    const result = await rig.answer(await rig.asked("Run the first"), "3");
    await rig.asked("Run the second");
    expect(readOutcome(result)).toBe("answered");
    expect(rig.took).toEqual(["3. No"]);
    expect(rig.received).toBe("3");
  });

  it("gets the second answer only for the second question", async () => {
    start(byDigit, "digit-acts");
    const first = await rig.asked("Run the first");
    await rig.answer(first, "1");
    expect(readOutcome(await rig.answer(first, "1"))).toBe("refused: screen_moved");
    await rig.answer(await rig.asked("Run the second"), "3");
    await rig.shows("Done.");
    expect(rig.log.filter(({ took }) => took !== undefined)).toEqual([
      { took: "1. Yes", of: "Run the first command?" },
      { took: "3. No", of: "Run the second command?" },
    ]);
    expect(rig.received).toBe("13");
  });
});

describe("a tool whose digits only move", () => {
  it("is answered with arrows and one Enter", async () => {
    start(byArrows, "digit-moves");
    const result = await rig.answer(await rig.asked("Install it?"), "3");
    await rig.asked("Delete it?");
    expect(readOutcome(result)).toBe("answered");
    expect(rig.took).toEqual(["3. No"]);
    expect(rig.received).toBe(DOWN + DOWN + "\r");
  });

  it("is not reported as answered under an adapter that expects a digit to be the answer", async () => {
    start(byDigit, "digit-moves");
    expect(readOutcome(await rig.answer(await rig.asked("Install it?"), "3", QUICK))).toBe("uncertain");
    expect(rig.received).toBe("3");
    expect(rig.took).toEqual([]);
  });
});

describe("a tool that ignores digits and has a dangerous default", () => {
  it("is answered with arrows", async () => {
    start(byArrows, "digit-ignored");
    expect(readOutcome(await rig.answer(await rig.asked("Delete?"), "3"))).toBe("answered");
    expect(rig.took).toEqual(["No"]);
  });

  it("does not get its default confirmed under an adapter that is wrong", async () => {
    start(byDigit, "digit-ignored");
    expect(readOutcome(await rig.answer(await rig.asked("Delete?"), "3", QUICK))).toBe("uncertain");
    expect(rig.received).toBe("3");
    expect(rig.took).toEqual([]);
  });
});

describe("arrows of an answer", () => {
  it("never go over the edge of a list that wraps", async () => {
    start(byArrows, "wraps");
    expect(readOutcome(await rig.answer(await rig.asked("Which way?"), "4"))).toBe("answered");
    expect(rig.took).toEqual(["West"]);
    expect(rig.received).toBe(DOWN + DOWN + DOWN + "\r");
  });

  it("wait for a slow tool, one by one, and nothing runs into its next question", async () => {
    start(byArrows, "slow");
    expect(readOutcome(await rig.answer(await rig.asked("Proceed?"), "4"))).toBe("answered");
    await rig.asked("Proceed with the rest?");
    expect(rig.took).toEqual(["No"]);
    expect(rig.received).toBe(DOWN + DOWN + DOWN + "\r");
  });

  it("are sent in the form that the tool asked for, where the other form cancels", async () => {
    start(byArrows, "application-arrows");
    expect(readOutcome(await rig.answer(await rig.asked("Colour?"), "3"))).toBe("answered");
    expect(rig.took).toEqual(["Blue"]);
    expect(rig.received).toBe("\u001bOB\u001bOB\r");
  });

  it("start from the row that the person at the keyboard left highlighted", async () => {
    start(byArrows, "digit-ignored");
    const raised = await rig.asked("Delete?");
    await rig.type(DOWN);
    await rig.shows("❯ Only the cache");
    await rig.type(DOWN);
    expect(readOutcome(await rig.answer(raised, "2"))).toBe("answered");
    expect(rig.took).toEqual(["Only the cache"]);
    expect(rig.received).toBe(DOWN + DOWN + UP + "\r");
  });
});

describe("a start-up dialog without digits", () => {
  it("is answered from whichever row is its default", async () => {
    start(byArrows, "trust", "trusting");
    expect(readOutcome(await rig.answer(await rig.asked("Do you trust"), "2"))).toBe("answered");
    expect(rig.received).toBe("\r");
    expect(rig.took).toEqual(["Yes, I trust this folder"]);
  });

  it("may end the tool where the adapter file says so", async () => {
    start({ ...byArrows, endsTool: [1] }, "trust", "trusting");
    const result = await rig.answer(await rig.asked("Do you trust"), "1");
    expect(result).toMatchObject({ kind: "receipt", receipt: { outcome: "answered", endsTool: true } });
    expect(rig.received).toBe(UP + "\r");
    expect(rig.took).toEqual(["No, exit"]);
  });

  it("has an uncertain answer when the tool ends and the adapter file does not say so", async () => {
    start(byArrows, "trust");
    expect(readOutcome(await rig.answer(await rig.asked("Do you trust"), "1"))).toBe("uncertain");
  });
});

describe("the text of an answer", () => {
  const noWithReason = { ...byArrows, textRow: 3, takesText: "optional", textKeys: ["\t"] } as const;

  it("goes into the field of its row and nowhere else, where letters are keys", async () => {
    start(noWithReason, "live-letters");
    const text = "yes, any other jar";
    const result = await rig.answer(await rig.asked("Run it?"), "3", { text });
    expect(readOutcome(result)).toBe("answered");
    expect(rig.log.at(-1)).toEqual({ took: "No", reason: text });
    expect(rig.received).toBe(DOWN + DOWN + "\t" + pasted(text) + "\r");
  });

  it("is not typed when the field does not open", async () => {
    start(noWithReason, "live-letters", "deaf");
    const result = await rig.answer(await rig.asked("Run it?"), "3", { text: "yes", ...QUICK });
    expect(readOutcome(result)).toBe("failed");
    expect(rig.received).toBe(DOWN + DOWN + "\t");
    expect(rig.took).toEqual([]);
  });

  it("that the dialog dropped is not reported as answered", async () => {
    start({ ...byArrows, textRow: 2 }, "drops-text");
    const result = await rig.answer(await rig.asked("Approve?"), "2", { text: "MariaDB", ...QUICK });
    expect(readOutcome(result)).toBe("failed");
    expect(rig.received).toBe(DOWN + pasted("MariaDB"));
    expect(rig.took).toEqual([]);
  });

  it("whose Enter became part of the paste gets Enter again, and the dialog behind it gets none", async () => {
    start({ promptType: "free_text" }, "drops-enter");
    const raised = await rig.asked("What shall I do");
    const result = await rig.answer(raised, "use another file", { timings: { enterAgainAfterMs: 200 } });
    await rig.shows("Delete everything?");
    expect(readOutcome(result)).toBe("answered");
    expect(rig.took).toEqual(["use another file"]);
    expect(rig.received).toBe(pasted("use another file") + "\r\r\r");
  });

  it("that is longer than the kernel's input buffer goes in whole", async () => {
    start({ promptType: "free_text", constraints: { maxLength: 4000 } }, "drops-enter");
    const text = "größer ".repeat(500) + "end";
    expect(Buffer.byteLength(text)).toBeGreaterThan(4096);
    const raised = await rig.asked("What shall I do");
    const result = await rig.answer(raised, text, { timings: { enterAgainAfterMs: 200 } });
    expect(readOutcome(result)).toBe("answered");
    expect(rig.took).toEqual([text]);
  });

  it("on a line ends with one carriage return, and the same question asked again is left alone", async () => {
    start({ promptType: "yes_no" }, "line");
    const result = await rig.answer(await rig.asked("Overwrite"), "y");
    expect(readOutcome(result)).toBe("answered");
    await rig.shows("(y/n) y\nOverwrite");
    expect(rig.took).toEqual(["y"]);
  });

  it("on the last line of a script is proved although the script ends", async () => {
    start({ promptType: "yes_no" }, "line");
    const raised = await rig.asked("Overwrite");
    await rig.answer(raised, "y");
    await rig.shows("(y/n) y\nOverwrite");
    expect(readOutcome(await rig.answer(raised, "n"))).toBe("answered");
    expect(rig.took).toEqual(["y", "n"]);
  });
});

it("a check list is ticked by what differs, and submitted on its review page", async () => {
  const checkList = { submit: [{ key: "\t", leadsTo: "review" }, { key: "1" }] };
  start({ ...byDigit, checkList, constraints: { multi: true } }, "check-list");
  const result = await rig.answer(await rig.asked("Which features?"), "1,3");
  await rig.shows("Done.");
  expect(readOutcome(result)).toBe("answered");
  expect(rig.took).toEqual([["Auth", "Billing"]]);
  expect(rig.received).toBe("123\t1");
});

describe("a dialog that is gone by the time of the write", () => {
  it("leaves what took its place untouched", async () => {
    start(byDigit, "closes");
    const raised = await rig.asked("Continue?");
    const gate = async (): Promise<void> => {
      process.kill(rig.agentPid, "SIGUSR1");
      await rig.shows("Tell me what to do");
    };
    const result = await rig.answer(raised, "1", { gate });
    expect(result).toMatchObject({ kind: "receipt", receipt: { outcome: "failed", bytesWritten: 0 } });
    expect(rig.received).toBe("");
  });

  it("gets no answer typed into the shell behind a tool that died with the dialog drawn", async () => {
    start(byDigit, "digit-acts", "in-shell");
    const raised = await rig.asked("Run the first");
    const raisedGroup = rig.port.foregroundGroup();
    process.kill(rig.agentPid, "SIGKILL");
    await rig.shows("Killed");
    expect(await rig.asked("Run the first")).toEqual(raised);
    expect(readOutcome(await rig.answer(raised, "1", { raisedGroup }))).toBe("refused: screen_moved");
    // The dead tool left the terminal raw: only a line feed ends the shell's line.
    await rig.type("typed by hand\n");
    await rig.shows("THE SHELL READ: ");
    expect(rig.text).toContain("THE SHELL READ: typed by hand");
  });
});
