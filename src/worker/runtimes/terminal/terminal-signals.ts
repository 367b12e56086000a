/** The facts besides the picture, of one terminal: who is asked for them, and when they are worth asking. */
import type { Clock } from "../../../model/clock.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { needsFacts } from "../../detection/detect.js";
import type { LiveDetector } from "../../detection/live/live-detector.js";
import type { TerminalReaders } from "../../process/process-facts.js";
import type { Terminal } from "../../process/terminal.js";
import type { TtyFacts } from "../../process/tty-facts.js";
import type { Screen } from "../../screen/screen.js";
import { ToolSignals } from "../../signals/tool-signals.js";

export interface TerminalSignalsOptions {
  readonly adapter: CompiledAdapter;
  readonly clock: Clock;
  readonly screen: Screen;
  readonly terminal: Terminal;
  readonly facts: TtyFacts;
}

export function terminalSignals({
  adapter,
  clock,
  screen,
  terminal,
  facts,
}: TerminalSignalsOptions): ToolSignals {
  return new ToolSignals({
    clock,
    programStatus: adapter.signals.programStatus,
    readTty: () => facts.read(),
    readers: () => readersNow(terminal, facts),
    line: adapter.unread === "line" ? () => bottomLine(screen) : null,
    ttyWanted: () => terminal.alive && needsFacts(adapter, screen.view()),
    write: (bytes) => void terminal.write(bytes),
  });
}

/** What somebody wrote may not be here yet: then it is not known how much had been written to the picture that stands here. */
function readersNow(terminal: Terminal, facts: TtyFacts): TerminalReaders {
  const { blocked, readers } = facts.readers();
  const isBehind = (terminal.queues()?.output ?? 0) > 0;
  return { blocked, readers: isBehind ? readers.map(({ id }) => ({ id })) : readers };
}

/** Equal as long as only what stands above it is drawn anew. */
function bottomLine(screen: Screen): string {
  const { text = "" } = screen.view().lines.findLast((line) => line.text.trim() !== "") ?? {};
  return `${screen.lineFeeds} ${text}`;
}

/**
 * Whether what is asked is a line that somebody must be reading. An agent that draws its dialogs waits for several things at once,
 * and is busy at times: of its lines that is said only where it was proved.
 */
export function readsLine(
  { unread }: CompiledAdapter,
  { asksOnLine }: Pick<LiveDetector, "asksOnLine">,
  provenReaders: readonly string[] | null,
): boolean {
  return asksOnLine && (unread === "line" || provenReaders !== null);
}
