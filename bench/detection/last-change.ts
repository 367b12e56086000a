/**
 * When a raised prompt last changed what it says. A live session looks every 50 ms at most, so what a look finds new may be older
 * than the bytes before it, which can be those of a spinner; here every single event is looked at.
 */
import type { Scenario } from "../../prompt-lab/scenario.js";
import type { Candidate } from "../../src/sdk/candidate.js";
import type { CompiledAdapter } from "../../src/worker/detect/compiled.js";
import { detect } from "../../src/worker/detect/detect.js";
import {
  replay,
  type Picture,
  type RaisedPrompt,
  type RecordingEvent,
} from "../../src/worker/detect/replay.js";
import { REDRAW_BYTES_MIN } from "../../src/worker/detect/tracker-limits.js";

/** Looks are not further apart: what one of them first sees is not older. */
const SEEN_LATE_MS = 500;

/** ms on the recording's clock. `before`: what was raised before it. */
export async function lastChangeOf(
  { events, cols, rows }: Scenario,
  adapter: CompiledAdapter,
  { candidate, seenAt, raisedAt }: RaisedPrompt,
  before: RaisedPrompt | undefined,
): Promise<number> {
  const wanted = sayingOf(candidate);
  // The same words as before the key that answered them: this prompt was drawn behind that key.
  const isTwin = before !== undefined && sayingOf(before.candidate) === wanted;
  const heard = { since: null as number | null, last: 0 };
  let bytesBehindKey = 0;
  const onPicture = ({ event, view, signals, at }: Picture): void => {
    const isKey = "input_b64" in event;
    if (!isKey) heard.last = at;
    bytesBehindKey = isKey ? 0 : bytesBehindKey + bytesOf(event);
    if (at < seenAt - SEEN_LATE_MS || (isKey && !isTwin)) return;
    // What a tool holds back is not on the screen yet; and no question is drawn again in less, though the one that was answered stands.
    if (!isKey && (view.modes.synchronizedUpdate || (isTwin && bytesBehindKey < REDRAW_BYTES_MIN))) return;
    const found = isKey ? null : detect(adapter, view, signals).candidate;
    heard.since = found && sayingOf(found) === wanted ? (heard.since ?? at) : null;
  };
  const shown = events.filter(({ t_ms }) => t_ms <= raisedAt);
  await replay(adapter, shown, { cols, rows, settleMs: 0, onPicture });
  // Where what is known of the terminal made it a prompt, no picture alone shows it.
  return heard.since ?? heard.last;
}

function bytesOf(event: RecordingEvent): number {
  return "data_b64" in event ? Buffer.from(event.data_b64, "base64").length : 0;
}

/** All that people are told. */
function sayingOf({ rule, question, choices, highlighted, content }: Candidate): string {
  const rows = choices.map(({ label, detail, checked }) => [label, detail, checked]);
  return JSON.stringify([rule, question, rows, highlighted, content]);
}
