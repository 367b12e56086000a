/** Reads which choice a prompt library took: it replaces its menu by the question with the label of that choice. Pure. */
import { readAllLines, type ScreenMoment } from "../screen-match.js";
import { stripSigns } from "./left-screen.js";

/**
 * Which label is new behind the question in its own line: `chosen`, another choice's, or none (null). Signs and case are not compared. An
 * equal question that was answered earlier counts on both screens.
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

/** The text behind each drawn `question`, above a menu that still waits. */
function readBehind({ view, live }: ScreenMoment, question: string): readonly string[] {
  const end = live && live.choices.length > 0 ? live.region.top : view.rows;
  const lines = readAllLines({ ...view, lines: view.lines.slice(0, end) }).map(strip);
  return lines.flatMap((line) => {
    const text = line.slice(question.length);
    return line.startsWith(question) && text !== "" ? [text] : [];
  });
}

function strip(text: string): string {
  return stripSigns(text).toLowerCase();
}
