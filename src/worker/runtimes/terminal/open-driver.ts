import type { Clock } from "../../../model/clock.js";
import { TerminalDriver, type TerminalDriverFacts } from "../../answer/terminal-driver.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { findComposer } from "../../detection/composer.js";
import type { LiveDetector } from "../../detection/live/live-detector.js";
import { detectState } from "../../detection/states.js";
import type { Terminal } from "../../process/terminal.js";
import type { Screen } from "../../screen/screen.js";
import type { JoinedPrompts } from "./joined/joined-prompts.js";
import type { LocalKeys } from "./keyboard/local-keys.js";
import type { TypedKeys } from "./keyboard/typed-keys.js";

export interface DriverParts {
  readonly clock: Clock;
  readonly adapter: CompiledAdapter;
  readonly terminal: Terminal;
  readonly screen: Screen;
  readonly detector: LiveDetector;
  readonly prompts: JoinedPrompts;
  readonly keys: LocalKeys;
  readonly typedKeys: TypedKeys;
  readonly foregroundGroup: () => number | null;
}

/** `detect`: finds what counts as a prompt while this driver writes. `onWrite` is called before the bytes can have an effect. */
export function openDriver(
  { terminal, screen, clock, adapter, typedKeys, foregroundGroup, prompts }: DriverParts,
  { detect, onWrite }: Pick<TerminalDriverFacts, "detect" | "onWrite">,
): TerminalDriver {
  return new TerminalDriver(terminal, screen, clock, {
    detect,
    onWrite,
    detectState: (view) => detectState(adapter, view, {}),
    hasEmptyComposer: (view) => findComposer(adapter, view)?.field?.text === "",
    typedAt: () => typedKeys.typedAt,
    foregroundGroup,
    isEnding: () => prompts.isEnding,
  });
}
