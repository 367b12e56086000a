/** Reads which choice a prompt library says it took: it puts the question with the label of that choice in place of its menu. Pure. */
import { readAllLines, type ScreenMoment } from "../screen-match.js";

/**
 * What newly stands behind the question: the label `chosen`, or the label of another choice; null when neither does. What stands below the
 * question does not count: the first row of a menu that is no longer read stands there, too.
 * Signs and case are not compared. An equal question that was answered earlier counts on both screens.
 */
export function readTakenLabel(
  before: ScreenMoment,
  chosen: string,
  now: ScreenMoment,
): "chosen" | "other" | null {
  const question = strip(before.live?.question ?? "");
  if (question === "" || strip(chosen) === "") return null;
  const [old, fresh] = [readBehind(before, question), readBehind(now, question)];
  const count = (texts: readonly string[], label: string): number =>
    texts.filter((text) => text === strip(label)).length;
  const isNew = (label: string): boolean => count(fresh, label) > count(old, label);
  if (isNew(chosen)) return "chosen";
  return before.live?.choices.some(({ label }) => isNew(label)) ? "other" : null;
}

/** What stands behind each drawn `question`, in its line. A menu that still waits is not read. */
function readBehind({ view, live }: ScreenMoment, question: string): readonly string[] {
  const end = live && live.choices.length > 0 ? live.region.top : view.rows;
  const lines = readAllLines({ ...view, lines: view.lines.slice(0, end) }).map(strip);
  return lines.flatMap((line) => {
    const text = line.slice(question.length);
    return line.startsWith(question) && text !== "" ? [text] : [];
  });
}

/** Letters and digits alone. */
function strip(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
}
