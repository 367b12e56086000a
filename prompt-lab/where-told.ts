/** Whether a scrubbed recording still shows something private: read from the pictures, for a tool may draw a name in pieces. */
import { Screen } from "../src/worker/screen/screen.js";
import type { RecordingEvent } from "../src/worker/screen/recording-event.js";
import { withoutRowEnds } from "./plain-text.js";
import { anybodysTraces, encodeAsBytes, findOwnersNames, revealsPart, type Owner } from "./private-parts.js";

export interface RecordedSource {
  /** ms on the recording's clock. */
  readonly atMs: number;
}

interface Recorded {
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly RecordingEvent[];
}

/** The first picture that tells something, or null. */
export async function findWhereTold(
  { cols, rows, events }: Recorded,
  owner: Owner,
): Promise<RecordedSource | null> {
  const names = findOwnersNames(owner);
  const screen = new Screen({ cols, rows });
  try {
    for (const event of events) {
      if ("resize" in event) screen.resize({ cols: event.resize[0], rows: event.resize[1] });
      if (!("data_b64" in event)) continue;
      screen.write(Buffer.from(event.data_b64, "base64"));
      await screen.flushed();
      const text = encodeAsBytes(
        screen
          .view()
          .lines.map((line) => line.text)
          .join("\n"),
      );
      const joined = withoutRowEnds({ text, places: new Uint32Array() }).text;
      const isTold = [...names(text), ...anybodysTraces(text)].some((part) => revealsPart(text, part));
      if (isTold || names(joined).length > 0) return { atMs: event.t_ms };
    }
    return null;
  } finally {
    screen.dispose();
  }
}
