/** `detect_prompt` of adapter spec §2: rules on a buffer, without a session. */
import type { PromptEvent } from "../model/prompt.js";
import type { CompiledAdapter } from "../worker/adapter-format/compiled/compiled.js";
import { detect } from "../worker/detection/detect.js";
import { stamp, type StampOptions } from "../worker/detection/stamp.js";
import { Screen } from "../worker/screen/screen.js";

/** The adapter spec's screen and rolling buffer. */
const BUFFER_SCREEN = { cols: 80, rows: 24 };
const BUFFER_BYTES_MAX = 4096;

/**
 * The adapter spec's stateless call: a rolling buffer drawn on a fresh screen, and the rules put on it. Null when
 * nothing is asked there. Knows nothing of earlier calls.
 */
export async function detectPrompt(
  adapter: CompiledAdapter,
  buffer: Uint8Array,
  options: StampOptions,
): Promise<PromptEvent | null> {
  const bytes = buffer.slice(-BUFFER_BYTES_MAX);
  const screen = new Screen(BUFFER_SCREEN);
  try {
    screen.write(bytes);
    await screen.flushed();
    const { candidate } = detect(adapter, screen.view(), {});
    // What no rule reads counts only after a while (`unrecognized-screen.ts`), and a buffer has no time.
    if (!candidate || candidate.safetyClass === "user_menu" || candidate.promptType === "unknown")
      return null;
    return stamp(candidate, 0, options);
  } finally {
    screen.dispose();
  }
}
