/**
 * Shows what changes between two texts, as lines marked `-` and `+` with some unchanged lines around them. Linear, for files of
 * any size. Pure.
 */

/** Number of unchanged lines that are shown before and after a change. */
const AROUND = 3;

/** Shows everything between the first and the last line that differs; no part of a change is left out. */
export function diffLines(before: string, after: string): string[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  const head = countCommonHead(old, now);
  const tail = countCommonTail(old, now, head);
  if (head === old.length && head === now.length) return ["(nothing changes)"];
  const from = Math.max(0, head - AROUND);
  return [
    ...(from > 0 ? [`@@ line ${from + 1} @@`] : []),
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...now.slice(now.length - tail, now.length - tail + AROUND).map((line) => ` ${line}`),
  ];
}

/** A last line without a line end differs from the same line with one, and is shown so. */
function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ""} (no line end)`];
}

function countCommonHead(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at += 1) if (a[at] !== b[at]) return at;
  return most;
}

function countCommonTail(a: readonly string[], b: readonly string[], head: number): number {
  const most = Math.min(a.length, b.length) - head;
  for (let at = 0; at < most; at += 1) if (a.at(-1 - at) !== b.at(-1 - at)) return at;
  return most;
}
