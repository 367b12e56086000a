/**
 * A wire peer answers malformed input with clear errors and goes on serving. The decoder of lines gives the same lines wherever
 * the bytes are cut.
 */
import { duplexPair } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../src/observe/clock.js";
import { serve, type Handlers } from "../../../src/wire/incoming.js";
import { LineDecoder } from "../../../src/wire/line-codec.js";
import { HUB_CALLS, type HubCalls } from "../../../src/wire/messages.js";
import { Peer } from "../../../src/wire/peer.js";

const METHODS = Object.keys(HUB_CALLS) as (keyof HubCalls)[];

/** Refuses whatever gets through the checks with a result that shows that it did. */
const handlers = Object.fromEntries(METHODS.map((method) => [method, () => ({ handled: method })]));

interface Answer {
  id?: unknown;
  result?: unknown;
  error?: { code: unknown; message: unknown };
}

/** One peer for all inputs: each must leave it fit to serve the next. */
function hardenedPeer() {
  const [near, far] = duplexPair();
  const crashes: unknown[] = [];
  const peer = new Peer(near, {
    remote: {},
    service: serve(HUB_CALLS, handlers as unknown as Handlers<HubCalls>),
    clock: new ManualClock(),
    onFault: (fault) => {
      if (fault.kind === "bug") crashes.push(fault.error);
    },
  });
  const decoder = new LineDecoder();
  const answers: Answer[] = [];
  far.on("data", (chunk: Uint8Array) => {
    for (const line of decoder.push(chunk))
      if (line.kind === "line") answers.push(JSON.parse(line.text) as Answer);
  });
  /** Sends the bytes, then a request that proves that the peer still serves; gives what came before its answer. */
  async function answersTo(bytes: Uint8Array): Promise<Answer[]> {
    answers.length = 0;
    far.write(bytes);
    far.write('\n{"jsonrpc":"2.0","id":"probe","method":"hub.stop","params":{}}\n');
    for (let turn = 0; turn < 50 && answers.at(-1)?.id !== "probe"; turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
    expect(answers.at(-1)).toEqual({ jsonrpc: "2.0", id: "probe", result: { handled: "hub.stop" } });
    return answers.slice(0, -1);
  }
  return { peer, crashes, answersTo };
}

function expectClearErrors(answers: readonly Answer[]): void {
  for (const { error } of answers) {
    expect(error?.code).toBeTypeOf("number");
    expect(error?.message).toMatch(/^[\x20-\x7e…]{5,400}$/u);
  }
}

/** Any JSON, with our own field names and methods often among it. */
const json = fc.jsonValue({ maxDepth: 3 });
const almostRequest = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant("2.0") }, json),
    id: fc.oneof(fc.integer(), fc.string(), json),
    method: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...METHODS) }, fc.string(), json),
    params: fc.oneof(
      json,
      fc.dictionary(fc.constantFrom("sessionId", "promptId", "state", "__proto__", "protocol", "all"), json),
    ),
    error: json,
    surplus: json,
  },
  { requiredKeys: [] },
);
const line = fc.oneof(
  almostRequest.map((message) => Buffer.from(JSON.stringify(message))),
  json.map((value) => Buffer.from(JSON.stringify(value))),
  fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }),
  fc
    .tuple(almostRequest, fc.nat(80))
    .map(([message, cut]) => Buffer.from(JSON.stringify(message).slice(0, cut))),
  fc.nat(20_000).map((depth) => Buffer.from("[".repeat(depth))),
);

describe("ten thousand malformed inputs to a wire peer", () => {
  it("get a clear error each or need none, and the peer serves on", async () => {
    const { peer, crashes, answersTo } = hardenedPeer();
    await fc.assert(
      fc.asyncProperty(line, async (bytes) => {
        const answers = await answersTo(bytes);
        expectClearErrors(answers.filter((answer) => answer.result === undefined));
      }),
      { numRuns: 10_000 },
    );
    expect(crashes).toEqual([]);
    expect(peer.isOpen).toBe(true);
  });

  it("a call with parameters that do not fit never reaches its handler", async () => {
    const { answersTo } = hardenedPeer();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METHODS), json, async (method, value) => {
        const message = { jsonrpc: "2.0", id: 1, method, params: { surplus: value } };
        const answers = await answersTo(Buffer.from(JSON.stringify(message)));
        expect(answers).toHaveLength(1);
        expectClearErrors(answers);
      }),
      { numRuns: 500 },
    );
  });
});

describe("line decoder", () => {
  it("gives the same lines however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("\n"), fc.constant("é\n€"))),
        fc.array(fc.nat(7)),
        (texts, cuts) => {
          const bytes = Buffer.from(texts.join("") + "\n");
          const whole = new LineDecoder().push(bytes);
          const pieces = new LineDecoder();
          const seen = [];
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const size = 1 + (cuts[turn % Math.max(1, cuts.length)] ?? 0);
            seen.push(...pieces.push(bytes.subarray(at, at + size)));
            at += size;
          }
          expect(seen).toEqual(whole);
        },
      ),
    );
  });
});
