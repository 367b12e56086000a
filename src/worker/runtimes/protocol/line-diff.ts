/** What changes between two texts, as lines marked `-` and `+` with some around them. Linear, for files of any size. Pure. */

/** Unchanged lines that are shown before and behind a change. */
const AROUND = 3;

/** Everything between the first and the last line that differs; nothing of a change is left out. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const head = commonHead(old, now);
  const tail = commonTail(old, now, head);
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

/** A last line that is not ended is another one than the same line ended, and shows as that. */
function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ""} (no line end)`];
}

function commonHead(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at += 1) if (a[at] !== b[at]) return at;
  return most;
}

function commonTail(a: readonly string[], b: readonly string[], head: number): number {
  const most = Math.min(a.length, b.length) - head;
  for (let at = 0; at < most; at += 1) if (a.at(-1 - at) !== b.at(-1 - at)) return at;
  return most;
}
