/** Scrubbing leaves nothing private in a recording, however it is coloured or cut, and keeps every length, every time and the drawing. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  toPlainText,
  withoutRowEnds,
  anybodysTraces,
  findOwnersNames,
  revealsPart,
} from "../../../prompt-lab/record/private-parts.js";
import { scrubRecording, type Owner } from "../../../prompt-lab/record/scrub.js";
import type { RecordingEvent } from "../../../src/worker/screen/recording-event.js";

const OWNER: Owner = {
  home: "/home/alexandra",
  user: "alexandra",
  host: "thinkpad.lan",
  folders: ["/home/alexandra/src/acme-secrets"],
};
// Assembled so that no scanner takes this file for a leak.
const TOKENS = [
  ["ghp", "_", "abcdefGHIJKLmnop0123456789"],
  ["sk-", "ant-api03-", "abcdefGHIJKLmnop0123456789"],
  ["AKIA", "ABCDEFGHIJKLMNOP"],
].map((parts) => parts.join(""));
/** What must never be read again, and how it is told apart afterwards. */
const PRIVATE = [
  "alexandra",
  "thinkpad",
  "/home/alexandra/src/acme-secrets",
  "jo.doe@mail.acme.org",
  ...TOKENS,
];
const NEVER = ["alexandra", "thinkpad", "acme-secrets", "jo.doe", ...TOKENS.map((token) => token.slice(-12))];

const harmless = fc.constantFrom(
  "Do you want to proceed?",
  "❯ 1. Yes",
  "rm -rf build",
  "/usr/lib/node",
  "/home/dev/proj",
  "git@github.com:a/b",
  "a@example.org",
  "(y/n)",
  "└──",
  "123",
);
const colour = fc.constantFrom("\u001b[31m", "\u001b[0m", "\u001b[1;38;5;12m", "\u001b[K", "");
const gap = fc.constantFrom(" ", "\r\n", "\u001b[4;2H", "\t", " │ ", "\u001b]0;a title\u0007", "\u001b[2C");

/** A private word, coloured anywhere in its middle. */
const coloured = fc
  .tuple(fc.constantFrom(...PRIVATE), fc.array(fc.tuple(fc.nat(), colour), { maxLength: 4 }))
  .map(([word, colours]) =>
    colours.reduce((text, [place, code], index) => {
      // Only between the letters of the word itself: an escape sequence must stay whole.
      const at = index === 0 ? 1 + (place % (word.length - 1)) : 0;
      return text.slice(0, at) + code + text.slice(at);
    }, word),
  );

function makeDocument(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(part, gap), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.map(([word, after]) => word + after).join(""));
}

const chunkSizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 });

function chunked(text: string, sizes: readonly number[]): RecordingEvent[] {
  const bytes = Buffer.from(text);
  const events: RecordingEvent[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = at + (sizes[turn % sizes.length] ?? 1);
    events.push({ t_ms: turn, data_b64: bytes.subarray(at, end).toString("base64") });
    at = end;
  }
  return events;
}

function joinBytes(events: readonly RecordingEvent[]): Buffer {
  return Buffer.concat(
    events.map((event) => Buffer.from("data_b64" in event ? event.data_b64 : "", "base64")),
  );
}

function readable(events: readonly RecordingEvent[]): string[] {
  const drawn = toPlainText(joinBytes(events).toString("latin1"));
  return [drawn.text, withoutRowEnds(drawn).text];
}

/** Whether a picture of it would show anything that counts as private. */
function tellsSomething(events: readonly RecordingEvent[]): boolean {
  const { text } = toPlainText(joinBytes(events).toString("latin1"));
  return [...findOwnersNames(OWNER)(text), ...anybodysTraces(text)].some((part) => revealsPart(text, part));
}

describe("scrubbing", () => {
  it("leaves nothing private to be read, however it is coloured and cut into chunks", () => {
    fc.assert(
      fc.property(makeDocument(fc.oneof(coloured, harmless)), chunkSizes, (text, sizes) => {
        const events = scrubRecording(chunked(text, sizes), OWNER);
        for (const shown of readable(events)) for (const word of NEVER) expect(shown).not.toContain(word);
        expect(tellsSomething(events)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it("finds a name that the end of a row breaks", () => {
    const rowEnd = fc.constantFrom("\r\n", "  \r\n    ", " │\r\n│ ", "\u001b[5;3H");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), rowEnd, (at, end) => {
        const name = "alexandra";
        const text = `│ /home/${name.slice(0, at)}${end}${name.slice(at)}/x │`;
        const events = scrubRecording(chunked(text, [7]), OWNER);
        expect(readable(events)[1]).toContain("/home/useruseru/x");
      }),
    );
  });

  it("keeps every length, every time and all that draws", () => {
    const control = /[\u0000-\u001f\u007f]|\u001b\[[0-9;]{0,20}[A-Za-z]/g;
    fc.assert(
      fc.property(makeDocument(fc.oneof(coloured, harmless)), chunkSizes, (text, sizes) => {
        const before = chunked(text, sizes);
        const after = scrubRecording(before, OWNER);
        const shape = (events: readonly RecordingEvent[]) =>
          events.map((event) => [event.t_ms, "data_b64" in event ? event.data_b64.length : 0]);
        expect(shape(after)).toEqual(shape(before));
        const drawing = (events: readonly RecordingEvent[]) =>
          [...joinBytes(events).toString("latin1").matchAll(control)].map(({ index, 0: found }) => [
            index,
            found,
          ]);
        expect(drawing(after)).toEqual(drawing(before));
      }),
    );
  });

  it("leaves a recording with nothing private as it is", () => {
    fc.assert(
      fc.property(makeDocument(harmless), chunkSizes, (text, sizes) => {
        const before = chunked(text, sizes);
        expect(scrubRecording(before, OWNER)).toEqual(before);
      }),
    );
  });

  it("changes nothing more the second time, also of bytes that are no text at all", () => {
    const anything = fc.oneof(makeDocument(fc.oneof(coloured, harmless)), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(anything, chunkSizes, (text, sizes) => {
        const once = scrubRecording(chunked(text, sizes), OWNER);
        expect(scrubRecording(once, OWNER)).toEqual(once);
      }),
    );
  });
});
