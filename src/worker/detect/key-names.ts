/** Names of keys, so that files need no control characters. */
const KEYS: Readonly<Record<string, string>> = {
  enter: "\r",
  esc: "\u001b",
  tab: "\t",
  space: " ",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  ctrl_u: "\u0015",
};

export function keyOf(name: string): string {
  return KEYS[name] ?? name;
}
