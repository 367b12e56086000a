/**
 * Status reports (OSC 7501) are read the same wherever the bytes are split, within bounded memory. Input around an expected
 * answer of the terminal loses nothing else.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  NO_REST,
  scanStatus,
  STATUS_BYTES_MAX,
  type StatusMessage,
} from "../../../../src/worker/signals/program-status.js";
import { AnswerFilter } from "../../../../src/worker/signals/answer-filter.js";

/** Bytes that matter to the scanner, often enough that they meet. */
const piece = fc.oneof(
  fc.constantFrom(
    "\x1b]7501;",
    "\x1b]7501;?",
    "\x1b\\",
    "\x07",
    "\x1b",
    "]7501;",
    "state=blocked",
    ":app=tool",
    ":msg=aGVsbG8=",
    ":msg=!!",
    ":",
    "=",
    "\x1b]0;title\x07",
    "\n",
    "\xff",
  ),
  fc.string({ maxLength: 12, unit: "binary-ascii" }),
);
const output = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(""), "latin1"));

function scanAll(chunks: readonly Uint8Array[]): { messages: StatusMessage[]; longestRest: number } {
  let rest = NO_REST;
  let longestRest = 0;
  const messages = chunks.flatMap((chunk) => {
    const step = scanStatus(rest, chunk);
    rest = step.rest;
    longestRest = Math.max(longestRest, rest.length);
    return step.messages;
  });
  return { messages, longestRest };
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...new Set(at.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, i) => bytes.subarray(from, places[i] ?? bytes.length));
}

const cuts = fc.array(fc.nat(1000), { maxLength: 20 });

describe("OSC 7501 in any output", () => {
  it("reads the same wherever the bytes are split", () => {
    fc.assert(
      fc.property(output, cuts, (bytes, at) => {
        expect(scanAll(cut(bytes, at)).messages).toEqual(scanAll([bytes]).messages);
      }),
      { numRuns: 2000 },
    );
  });

  it("never keeps more than a message can be long, and never fails", () => {
    const noise = fc.array(fc.oneof(output, fc.constant(Buffer.alloc(5000, 0x41))), { maxLength: 12 });
    fc.assert(
      fc.property(noise, (chunks) => {
        expect(scanAll(chunks).longestRest).toBeLessThanOrEqual(STATUS_BYTES_MAX + 1);
      }),
      { numRuns: 2000 },
    );
  });

  it("survives ten thousand chunks of arbitrary bytes", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 8 }), (chunks) => {
        const noisy = chunks.map((chunk) => Buffer.concat([Buffer.from("\x1b]7501;"), chunk]));
        for (const message of scanAll(noisy).messages) expect(["query", "report"]).toContain(message.kind);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe("input while an answer is expected", () => {
  it("loses nothing but that one answer, wherever it is split", () => {
    const typed = fc
      .string({ maxLength: 30, unit: "binary-ascii" })
      .filter((text) => !text.includes("\x1b]7"));
    fc.assert(
      fc.property(typed, typed, cuts, (before, after, at) => {
        const filter = new AnswerFilter();
        filter.expect(0);
        const bytes = Buffer.from(`${before}\x1b]7501;?\x1b\\${after}`, "latin1");
        const pieces = cut(bytes, at);
        // An introducer cut behind its first two bytes has passed already: those are keys as well.
        fc.pre(!pieces.some((part) => /\x1b\]?$/.test(part.toString("latin1"))));
        // A person's own keys can be the beginning of an answer; what comes next brings them.
        const passed = [...pieces.map((part) => filter.filter(part, 0)), filter.filter(Buffer.from("!"), 0)];
        expect(Buffer.concat(passed).toString("latin1")).toBe(`${before}${after}!`);
      }),
      { numRuns: 2000 },
    );
  });
});
