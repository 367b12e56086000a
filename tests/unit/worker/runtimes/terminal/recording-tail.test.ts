/** The kept tail of a session shows the same picture as the whole session, and stays short. */
import { describe, expect, it } from "vitest";
import { findScenarios } from "../../../../../prompt-lab/scenario/find-scenarios.js";
import { scrubRecording } from "../../../../../prompt-lab/record/scrub.js";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { replay } from "../../../../../prompt-lab/replay/replay.js";
import {
  RecordingTail,
  type TailRecording,
} from "../../../../../src/worker/runtimes/terminal/recording-tail.js";
import { Screen } from "../../../../../src/worker/screen/screen.js";
import { shippedAdapter } from "../../detection/screens.js";

/** A session's life in one screen, with a tail of short parts. */
class Session {
  readonly clock = new ManualClock(0);
  readonly screen = new Screen({ cols: 40, rows: 6 });
  readonly tail: RecordingTail;

  constructor(partBytes = 100) {
    this.tail = new RecordingTail(this.screen, { cols: 40, rows: 6 }, this.clock, partBytes);
    this.screen.onChange(() => this.tail.onParsed());
  }

  async output(text: string): Promise<void> {
    this.clock.advance(10);
    this.tail.onOutput(Buffer.from(text));
    this.screen.write(Buffer.from(text));
    await this.screen.flushed();
  }
}

async function replayRows({ cols, rows, events }: TailRecording): Promise<string[]> {
  const { view } = await replay(shippedAdapter("generic"), events, { cols, rows });
  return view.lines.map((line) => line.text);
}

const countBytes = ({ events }: TailRecording): number =>
  events.reduce((sum, event) => sum + ("data_b64" in event ? event.data_b64.length : 0), 0);

describe("the tail of a session", () => {
  it("is the whole session while that is short, with keys and sizes", async () => {
    const session = new Session();
    await session.output("Name: ");
    session.tail.onTyped(Buffer.from("x"));
    session.clock.advance(5);
    session.tail.onResized({ cols: 30, rows: 5 });
    expect(session.tail.createRecording()).toEqual({
      cols: 40,
      rows: 6,
      events: [
        { t_ms: 10, data_b64: Buffer.from("Name: ").toString("base64") },
        { t_ms: 10, input_b64: Buffer.from("x").toString("base64") },
        { t_ms: 15, resize: [30, 5] },
      ],
    });
  });

  it("of a long one shows the same picture, and stays short", async () => {
    const session = new Session();
    for (let line = 0; line < 500; line++)
      await session.output(`\u001b[3${line % 8}mline ${line}\u001b[m\r\n`);
    const recording = session.tail.createRecording();
    expect(await replayRows(recording)).toEqual(session.screen.view().lines.map((line) => line.text));
    expect(recording.events.length).toBeLessThan(20);
  });

  it("never begins in the middle of a character or of a sequence", async () => {
    const session = new Session();
    const text = Array.from(
      { length: 100 },
      (_, n) => `\u001b[2K\u001b[${(n % 6) + 1};1H— ${n} —\u001b]0;t\u0007`,
    ).join("");
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 7) {
      const piece = bytes.subarray(at, at + 7);
      session.tail.onOutput(piece);
      session.screen.write(piece);
      await session.screen.flushed();
    }
    expect(await replayRows(session.tail.createRecording())).toEqual(
      session.screen.view().lines.map((line) => line.text),
    );
  });

  it("forgets the beginning of a flood in which no moment is calm", () => {
    const session = new Session();
    const chunk = Buffer.alloc(64 * 1024, "x");
    for (let chunks = 0; chunks < 20 * 16; chunks++) session.tail.onOutput(chunk);
    const base64Bytes = (8 * 1024 * 1024 * 4) / 3;
    expect(countBytes(session.tail.createRecording())).toBeLessThan(base64Bytes);
  });

  it("forgets what a flood brought before its latest picture", async () => {
    const session = new Session(128 * 1024);
    const line = `${"y".repeat(38)}\r\n`;
    await session.output(line.repeat((3 * 1024 * 1024) / line.length));
    await session.output("last\r\n");
    const recording = session.tail.createRecording();
    expect(countBytes(recording)).toBeLessThan(64 * 1024);
    expect(await replayRows(recording)).toEqual(session.screen.view().lines.map(({ text }) => text));
  });

  it("raises the same prompt when it is replayed, cut anywhere and scrubbed", async () => {
    const claude = shippedAdapter("claude");
    const asking = findScenarios(["prompt-lab/scenarios/claude"], { text: "bash_resized_80x24" });
    expect(asking.length).toBeGreaterThan(0);
    for (const { cols, rows, events, expected } of asking) {
      const clock = new ManualClock(0);
      const screen = new Screen({ cols, rows });
      const tail = new RecordingTail(screen, { cols, rows }, clock, 4000);
      screen.onChange(() => tail.onParsed());
      for (const event of events) {
        clock.advance(Math.max(0, event.t_ms - clock.monotonic()));
        if ("data_b64" in event) {
          tail.onOutput(Buffer.from(event.data_b64, "base64"));
          screen.write(Buffer.from(event.data_b64, "base64"));
        } else if ("resize" in event) {
          const [toCols, toRows] = event.resize;
          tail.onResized({ cols: toCols, rows: toRows });
          screen.resize({ cols: toCols, rows: toRows });
        } else tail.onTyped(Buffer.from(event.input_b64, "base64"));
        await screen.flushed();
      }
      const recording = tail.createRecording();
      const owner = { home: "/home/dev", user: "dev", host: "" };
      const shown = await replay(claude, scrubRecording(recording.events, owner), recording);
      expect(shown.pending?.candidate.choices.map((choice) => choice.label)).toEqual(expected.choices);
    }
  });
});
