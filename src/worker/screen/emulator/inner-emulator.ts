/**
 * Gives access to the emulator's own parser. The public interface hands out copies of parameters and cannot stop a character from
 * being printed, and limiting the emulator's work needs both. The emulator is pinned and bundled, and this throws an error where
 * these parts are not found (as in ADR 20).
 */
import type { IFunctionIdentifier, Terminal } from "@xterm/headless";
import { assertInvariant } from "../../../model/errors.js";

/** The parameters of one sequence. Writing to `params` changes what later handlers get. */
export interface LiveParams {
  readonly params: Int32Array;
  readonly length: number;
}

export type PrintHandler = (codePoints: Uint32Array, start: number, end: number) => void;

/**
 * Returns true when it has handled the sequence; then no earlier handler is called. The handler that was registered last is called
 * first.
 */
type Handler = () => boolean;

/** Takes the text of an operating system command in pieces. `end(false)` means that it was cut off. */
export interface TextHandler {
  start(): void;
  put(codePoints: Uint32Array, start: number, end: number): void;
  end(isWhole: boolean): boolean;
}

export interface InnerParser {
  registerCsiHandler(id: IFunctionIdentifier, handler: (params: LiveParams) => boolean): unknown;
  registerEscHandler(id: IFunctionIdentifier, handler: Handler): unknown;
  setExecuteHandler(control: string, handler: Handler): void;
  readonly _executeHandlers: Readonly<Record<number, Handler | undefined>>;
  setPrintHandler(handler: PrintHandler): void;
  readonly _printHandler: PrintHandler;
  registerOscHandler(code: number, handler: TextHandler): unknown;
  clearOscHandler(code: number): void;
}

export interface InnerEmulator {
  readonly parser: InnerParser;
  /** Whether characters are inserted instead of overwritten (IRM). */
  readonly isInserting: () => boolean;
  /** Whether the alternate screen is shown. The public interface creates an object each time it is asked. */
  readonly isAlternateShown: () => boolean;
  /** Whether a part of the shown screen's rows scrolls separately (DECSTBM). */
  readonly hasMargins: () => boolean;
  /** Moves the cursor of the shown screen; `x` may be the number of columns, where a wrap is pending. */
  readonly moveCursor: (x: number, y: number) => void;
}

interface Buffers {
  readonly active: { x: number; y: number; readonly scrollTop: number; readonly scrollBottom: number };
  readonly alt: object;
}

interface TerminalInternals {
  readonly _core?: {
    readonly _inputHandler?: { readonly _parser?: InnerParser };
    readonly coreService?: { readonly modes: { readonly insertMode: boolean } };
    readonly buffers?: Buffers;
  };
}

export function getInnerEmulator(terminal: Terminal): InnerEmulator {
  const { _core: core } = terminal as unknown as TerminalInternals;
  const parser = core?._inputHandler?._parser;
  const service = core?.coreService;
  const buffers = core?.buffers;
  assertInvariant(
    typeof parser?._printHandler === "function" && typeof service?.modes.insertMode === "boolean",
    "the parser of the emulator was not found",
  );
  assertInvariant(
    typeof buffers?.active.scrollBottom === "number" && typeof buffers.alt === "object",
    "the screens of the emulator were not found",
  );
  return {
    parser,
    isInserting: () => service.modes.insertMode,
    isAlternateShown: () => buffers.active === buffers.alt,
    hasMargins: () => buffers.active.scrollTop > 0 || buffers.active.scrollBottom < terminal.rows - 1,
    moveCursor: (x, y) => void Object.assign(buffers.active, { x, y }),
  };
}

/** Limits the first parameter to `max`. Returns the resulting count. */
export function clampParameter({ params }: LiveParams, max: number): number {
  const count = params[0] ?? 0;
  if (count > max) params[0] = max;
  return Math.min(count || 1, max);
}
