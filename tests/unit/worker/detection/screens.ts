/** Hand-drawn screens for the tests of detection. */
import { readFileSync } from "node:fs";
import { addAdapterCode } from "../../../../src/plugins/adapters/adapters.js";
import { detect } from "../../../../src/worker/detection/detect.js";
import { type Detection } from "../../../../src/worker/detection/detection.js";
import { compileAdapter } from "../../../../src/worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter } from "../../../../src/worker/adapter-format/compiled/compiled.js";
import { Screen } from "../../../../src/worker/screen/screen.js";
import type { Signals, View } from "../../../../src/sdk/view.js";

const adapters = new Map<string, CompiledAdapter>();

export function shippedAdapter(name: string): CompiledAdapter {
  const file = `adapters/${name}.yaml`;
  const adapter = adapters.get(name) ?? addAdapterCode(compileAdapter(readFileSync(file, "utf8"), file));
  adapters.set(name, adapter);
  return adapter;
}

export interface Drawing {
  readonly cols?: number;
  readonly rows?: number;
  /** 0-based; where the cursor is put after drawing. */
  readonly cursor?: readonly [x: number, y: number];
  readonly alternate?: boolean;
  readonly cursorHidden?: boolean;
}

/** Draws rows from the top left corner; without `cursor` it stays behind the last character. */
export async function drawView(rows: readonly string[] | string, drawing: Drawing = {}): Promise<View> {
  const screen = new Screen({ cols: drawing.cols ?? 80, rows: drawing.rows ?? 24 });
  screen.write(Buffer.from(drawBytes(rows, drawing)));
  await screen.flushed();
  const view = screen.view();
  screen.dispose();
  return view;
}

export function drawBytes(rows: readonly string[] | string, drawing: Drawing = {}): string {
  const text = typeof rows === "string" ? rows : rows.join("\r\n");
  const { cursor, alternate = false, cursorHidden = false } = drawing;
  return [
    alternate ? "\u001b[?1049h" : "",
    cursorHidden ? "\u001b[?25l" : "",
    "\u001b[2J\u001b[H",
    text,
    cursor ? `\u001b[${cursor[1] + 1};${cursor[0] + 1}H` : "",
  ].join("");
}

export async function detectOn(
  adapter: CompiledAdapter,
  rows: readonly string[] | string,
  drawing: Drawing & { readonly signals?: Signals } = {},
): Promise<Detection> {
  return detect(adapter, await drawView(rows, drawing), drawing.signals ?? {});
}

/** Today's permission dialog of claude. `highlighted` is 1-based. */
export interface Dialog {
  readonly command?: string;
  readonly choices?: readonly string[];
  readonly highlighted?: number;
  readonly above?: readonly string[];
  readonly below?: readonly string[];
}

export function bashDialog(dialog: Dialog = {}): { rows: string[]; cursor: [number, number] } {
  const choices = dialog.choices ?? ["Yes", "Yes, and don't ask again for: rm *", "No"];
  const highlighted = dialog.highlighted ?? 1;
  const head = [
    ...(dialog.above ?? ["● Removing build folder", "  ⎿  $ rm -rf build", ""]),
    "─".repeat(80),
    " Bash command",
    " Remove build folder",
    "╌".repeat(80),
    ` ${dialog.command ?? "rm -rf build"}`,
    "╌".repeat(80),
    " Do you want to proceed?",
  ];
  const rows = choices.map((label, i) => ` ${i + 1 === highlighted ? "❯" : " "} ${i + 1}. ${label}`);
  const below = dialog.below ?? ["", " Esc to cancel · Tab to amend"];
  return { rows: [...head, ...rows, ...below], cursor: [1, head.length + highlighted - 1] };
}

/** Today's input box of claude, idle or working. */
export function composer(status: string, above: readonly string[] = []): string[] {
  return [...above, "─".repeat(80), "❯\u00a0", "─".repeat(80), `  ${status}`];
}

export const IDLE = "⏸ manual mode on · ? for shortcuts · ← for agents";
export const WORKING = "⏸ manual mode on · esc to interrupt · ← for agents";
