/**
 * The emulator's own parser. Its public side hands out copies of parameters and no way to stop a character from being printed; what
 * bounds its work needs both. It is pinned and bundled, and stops with an error where these parts are not found (as in ADR 20).
 */
import type { IFunctionIdentifier, Terminal } from "@xterm/headless";
import { invariant } from "../../../model/errors.js";

/** The parameters of one sequence. Writing to `params` changes what later handlers get. */
export interface LiveParams {
  readonly params: Int32Array;
  readonly length: number;
}

/** Takes code points from `start` up to `end`. */
export type PrintHandler = (codePoints: Uint32Array, start: number, end: number) => void;

/** True: handled, no earlier handler is called. The handler that was registered last is called first. */
type Handler = () => boolean;

/** Takes the text of an operating system command in pieces; `end(false)`: it was cut off. */
interface TextHandler {
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
  readonly inserts: () => boolean;
  /** Whether the alternate screen is shown. The public side makes an object for each time it is asked. */
  readonly showsAlternate: () => boolean;
}

interface Buffers {
  readonly active: object;
  readonly alt: object;
}

interface Hidden {
  readonly _core?: {
    readonly _inputHandler?: { readonly _parser?: InnerParser };
    readonly coreService?: { readonly modes: { readonly insertMode: boolean } };
    readonly buffers?: Buffers;
  };
}

export function innerEmulator(terminal: Terminal): InnerEmulator {
  const { _core: core } = terminal as unknown as Hidden;
  const parser = core?._inputHandler?._parser;
  const service = core?.coreService;
  const buffers = core?.buffers;
  invariant(
    typeof parser?._printHandler === "function" && typeof service?.modes.insertMode === "boolean",
    "the emulator keeps its parser elsewhere",
  );
  invariant(
    typeof buffers?.active === "object" && typeof buffers.alt === "object",
    "the emulator keeps its screens elsewhere",
  );
  return {
    parser,
    inserts: () => service.modes.insertMode,
    showsAlternate: () => buffers.active === buffers.alt,
  };
}

/** Cuts the first parameter down to `max`; returns what it stands for. */
export function clampParameter({ params }: LiveParams, max: number): number {
  const count = params[0] ?? 0;
  if (count > max) params[0] = max;
  return Math.min(count || 1, max);
}
