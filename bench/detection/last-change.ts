/**
 * When a raised prompt last changed what it says. A live session looks every 50 ms at most, so what a look finds new may be older
 * than the bytes before it, which can be those of a spinner; here every single event is looked at.
 */
import type { Scenario } from "../../prompt-lab/scenario/scenario.js";
import type { Candidate } from "../../src/sdk/candidate.js";
import type { Signals, View } from "../../src/sdk/view.js";
import type { CompiledAdapter } from "../../src/worker/adapter-format/compiled/compiled.js";
import { detect } from "../../src/worker/detection/detect.js";
import type { RecordingEvent } from "../../src/worker/screen/recording-event.js";
import type { RaisedPrompt } from "../../prompt-lab/replay/replay.js";
import { REDRAW_BYTES_MIN } from "../../src/worker/detection/live/tracker-limits.js";
import { StatusWatch } from "../../src/worker/signals/status-watch.js";
import { Screen } from "../../src/worker/screen/screen.js";

/** Looks are not further apart: what one of them first sees is not older. */
const SEEN_LATE_MS = 500;

interface Picture {
  /** What came before it. */
  readonly event: RecordingEvent;
  readonly view: () => View;
  readonly signals: Signals;
}

/** ms on the recording's clock. `before`: what was raised before it. */
export async function findLastChange(
  { events, cols, rows }: Scenario,
  adapter: CompiledAdapter,
  { candidate, seenAt, raisedAt }: RaisedPrompt,
  before: RaisedPrompt | undefined,
): Promise<number> {
  const wanted = hashSaying(candidate);
  // The same words as before the key that answered them: this prompt was drawn behind that key.
  const isTwin = before !== undefined && hashSaying(before.candidate) === wanted;
  const heard = { since: null as number | null, last: 0 };
  let bytesBehindKey = 0;
  const shown = events.filter(({ t_ms }) => t_ms <= raisedAt);
  for await (const { event, view, signals } of replayPictures(shown, { cols, rows }, adapter)) {
    const isKey = "input_b64" in event;
    if (!isKey) heard.last = event.t_ms;
    bytesBehindKey = isKey ? 0 : bytesBehindKey + countBytes(event);
    if (event.t_ms < seenAt - SEEN_LATE_MS || (isKey && !isTwin)) continue;
    const seen = view();
    // What a tool holds back is not on the screen yet; and no question is drawn again in less, though the one that was answered stands.
    if (!isKey && (seen.modes.synchronizedUpdate || (isTwin && bytesBehindKey < REDRAW_BYTES_MIN))) continue;
    const found = isKey ? null : detect(adapter, seen, signals).candidate;
    heard.since = found && hashSaying(found) === wanted ? (heard.since ?? event.t_ms) : null;
  }
  // Where what is known of the terminal made it a prompt, no picture alone shows it.
  return heard.since ?? heard.last;
}

/** After each event, without the looks of a live session: they would cost more than all else here. */
async function* replayPictures(
  events: readonly RecordingEvent[],
  size: { readonly cols: number; readonly rows: number },
  { signals: { programStatus: app } }: CompiledAdapter,
): AsyncGenerator<Picture> {
  const screen = new Screen(size);
  const nothing = (): void => undefined;
  const status = app === null ? null : new StatusWatch({ app, answer: nothing, onChange: nothing });
  for (const event of events) {
    if ("resize" in event) screen.resize({ cols: event.resize[0], rows: event.resize[1] });
    else if ("data_b64" in event) {
      const bytes = Buffer.from(event.data_b64, "base64");
      status?.onOutput(bytes);
      screen.write(bytes);
      await screen.flushed();
    }
    const declared = status?.declared;
    yield { event, view: () => screen.view(), signals: { ...(declared && { declared }) } };
  }
  screen.dispose();
}

function countBytes(event: RecordingEvent): number {
  return "data_b64" in event ? Buffer.from(event.data_b64, "base64").length : 0;
}

/** All that people are told. */
function hashSaying({ rule, question, choices, highlighted, content }: Candidate): string {
  const rows = choices.map(({ label, detail, checked }) => [label, detail, checked]);
  return JSON.stringify([rule, question, rows, highlighted, content]);
}
