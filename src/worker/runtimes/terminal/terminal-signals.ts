/** Reads the facts about a terminal that its screen does not show: its mode, and who reads from it. */
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { needsFacts } from "../../detection/detect.js";
import type { LiveDetector } from "../../detection/live/live-detector.js";
import type { TerminalReaders } from "../../process/facts/process-facts.js";
import type { Terminal } from "../../process/terminal.js";
import type { TtyFacts } from "../../process/facts/tty-facts.js";
import type { Screen } from "../../screen/screen.js";
import { ToolSignals } from "../../signals/tool-signals.js";
import type { DriverParts } from "./open-driver.js";

export function createTerminalSignals(
  { adapter, clock, screen, terminal }: Pick<DriverParts, "adapter" | "clock" | "screen" | "terminal">,
  facts: TtyFacts,
): ToolSignals {
  return new ToolSignals({
    clock,
    programStatus: adapter.signals.programStatus,
    // Where an agent draws itself, an answer on a line is written without asking the kernel who reads.
    readTty: () => facts.read(adapter.unread === "line"),
    readers: () => readReaders(terminal, facts),
    line: adapter.unread === "line" ? () => readBottomLine(screen) : null,
    shouldReadTty: () => terminal.alive && needsFacts(adapter, screen.view()),
    write: (bytes) => void terminal.write(bytes),
  });
}

/** Without counts of written bytes while output is on its way: they belong to a later frame. */
function readReaders(terminal: Terminal, facts: TtyFacts): TerminalReaders {
  const { blocked, readers } = facts.findReaders();
  const hasUnreadOutput = (terminal.readQueues()?.output ?? 0) > 0;
  return { blocked, readers: hasUnreadOutput ? readers.map(({ id }) => ({ id })) : readers };
}

/** Stays equal while only the rows above are drawn again. */
function readBottomLine(screen: Screen): string {
  const { text = "" } = screen.view().lines.findLast((line) => line.text.trim() !== "") ?? {};
  return `${screen.lineFeeds} ${text}`;
}

/** Whether some process must be reading for the prompt. For an agent that draws its dialogs, only where that was proved. */
export function needsReader(
  { unread }: CompiledAdapter,
  { asksOnLine }: Pick<LiveDetector, "asksOnLine">,
  provenReaders: readonly string[] | null,
): boolean {
  return asksOnLine && (unread === "line" || provenReaders !== null);
}
