/** Shows the changes between two texts as lines marked `-` and `+`, in linear time. */

const AROUND = 3;

/** Shows everything between the first and the last line that differs; no part of a change is left out. */
export function diffLines(before: string, after: string): string[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  let [head, tail] = [0, 0];
  while (head < old.length && old[head] === now[head]) head += 1;
  if (head === old.length && head === now.length) return ["(nothing changes)"];
  const tailMax = Math.min(old.length, now.length) - head;
  while (tail < tailMax && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
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
