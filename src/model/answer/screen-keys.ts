/** The keys that people may press on a screen that no rule reads: their names as answers, and how cards show them. */

/** Rows as cards show them. Digits choose in many menus, and the others move in them. */
export const KEY_ROWS = [
  ["up", "down", "left", "right"],
  ["tab", "shift+tab", "space"],
  ["1", "2", "3", "4", "5"],
  ["6", "7", "8", "9", "0"],
] as const;

export type ScreenKey = (typeof KEY_ROWS)[number][number];
export const SCREEN_KEYS: readonly ScreenKey[] = KEY_ROWS.flat();

/** Keys that may end the program. Offered only where the adapter declares them. */
export const CONTROL_KEYS = ["ctrl-c", "ctrl-d"] as const;
export type ControlKey = (typeof CONTROL_KEYS)[number];

export function isControlKey(key: string): boolean {
  return CONTROL_KEYS.some((each) => each === key);
}

/** One key that a card offers besides Enter and Esc, or one of the two with what the screen says of it. */
export interface OfferedKey {
  /** `enter`, `esc`, a `ScreenKey`, a `ControlKey`, or one printed character. */
  readonly key: string;
  /** What the screen says that it does: `accept`. */
  readonly does?: string;
}

const NAMES: Readonly<Record<string, string>> = {
  enter: "Enter",
  esc: "Esc",
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  tab: "Tab",
  "shift+tab": "Shift+Tab",
  space: "Space",
  "ctrl-c": "Ctrl-C (interrupt)",
  "ctrl-d": "Ctrl-D (end of input)",
};

/** How people see a key: `↓`, `Tab`, `7`. */
export function nameKey(key: string): string {
  return NAMES[key] ?? key;
}

/** Other spellings that people write. */
const SPELLINGS: Readonly<Record<string, string>> = {
  "↑": "up",
  "↓": "down",
  "←": "left",
  "→": "right",
  backtab: "shift+tab",
  return: "enter",
  escape: "esc",
  "ctrl+c": "ctrl-c",
  "^c": "ctrl-c",
  "ctrl+d": "ctrl-d",
  "^d": "ctrl-d",
};

/** Whether the text names a key that has no character of its own. */
export function isKeyName(key: string): boolean {
  return key in NAMES;
}

/** Whether an unread prompt is a screen that keys move in, and no line. */
export function takesKeys({ keys = [] }: { readonly keys?: readonly OfferedKey[] | undefined }): boolean {
  return keys.some(({ key }) => SCREEN_KEYS.some((each) => each === key));
}

/** The name of a key as people write it; the same text where it names none. */
export function parseKeyName(word: string): string {
  const key = [...word].length === 1 ? word : word.toLowerCase();
  return SPELLINGS[key] ?? key;
}
