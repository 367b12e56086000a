/** What a card shows of its prompt, decided once for all channels. Pure. */
import type { NoticeSession, PromptNotice } from "./channel.js";
import {
  formatButtonLabel,
  formatChoiceName,
  formatCutWarning,
  formatExpiryAnswer,
  formatHiddenWarning,
  formatPolicyNote,
} from "./card-words.js";
import { formatCount } from "../model/hidden.js";
import { clip, findBoundary } from "./text.js";

/** The settled card's second line fits two lines of a phone. */
const SUBJECT_MAX = 90;
const NAME_MAX = 40;

/** A card shows the whole folder, and no folder in use is longer: this only keeps room for the content. */
const FOLDER_MAX = 512;

/** Where a session runs, in one line: `laptop · api · ~/src/api`. */
export function formatPlace({ host, label, place }: NoticeSession, nameMax: number): string {
  const names = [host ?? "", label ?? ""].map((name) => clip(name, nameMax));
  return [...names, clip(place, FOLDER_MAX)].filter((name) => name !== "").join(" · ");
}

type AskedPrompt = Pick<PromptNotice, "safetyClass" | "question"> & {
  readonly content: { readonly text: string };
  readonly form: readonly { readonly question: string }[] | null;
};

/** What a prompt is about, in one line: the command or file to allow, otherwise the question. */
export function formatSubject({ safetyClass, question, content, form }: AskedPrompt): string {
  const [first = ""] = /\S.*/.exec(content.text) ?? [];
  // The allowed content is more useful than "Do you want to proceed?".
  const asked = safetyClass === "question" || first === "" ? question || first : first;
  return oneLine(form?.map((field) => field.question).join(" · ") ?? asked);
}

/** The text of a settled card between its outcome and its short id: whose prompt it was, and its content. */
export function formatSettled(notice: PromptNotice): string {
  const { host = null, tool, label } = notice.session;
  const line = clip(formatSubject(notice), SUBJECT_MAX);
  const names = [host, label].filter((name) => name !== null && name !== "");
  return [...names.map((name) => clip(name ?? "", NAME_MAX)), `${clip(tool, NAME_MAX)}: ${line}`].join(" · ");
}

/** Warnings before an approval: content is missing, or hidden in the visible part. */
export function listWarnings({ content: { cut, hidden }, session }: PromptNotice): string[] {
  return [...(cut ? [formatCutWarning(cut, session)] : []), ...(hidden ? [formatHiddenWarning(hidden)] : [])];
}

/** The reason of the policy, and its answer if nobody answers. Contains labels of tools: never markup. */
export function listPolicyLines(notice: PromptNotice): string[] {
  return [formatPolicyNote(notice), formatExpiryAnswer(notice)].filter((line) => line !== null);
}

/** Whether the card needs the question above the content: not if the content, shown whole, begins or ends with it. */
export function needsQuestion(
  { question, content }: { readonly question: string; readonly content: { readonly text: string } },
  isContentWhole: boolean,
): boolean {
  if (question.trim() === "") return false;
  const asked = strip(question.replace(/…$/, ""));
  const shown = strip(content.text);
  if (!isContentWhole || asked === "") return true;
  // Behind the question its last line may say how to answer: `[y/N]`.
  const lastLine = strip(content.text.trimEnd().split("\n").at(-1) ?? "");
  return !(shown.startsWith(asked) || shown.endsWith(asked) || lastLine.startsWith(asked));
}

function strip(text: string): string {
  return text.replace(/\s/g, "");
}

/** Whether the content already lists the questions of a form. */
export function listsForm({ form, content }: PromptNotice): boolean {
  return form?.every(({ question }) => strip(content.text).includes(strip(question))) === true;
}

export interface StepLine {
  readonly text: string;
  readonly as: "plain" | "bold" | "italic";
}

/** The question that is filled in now, below the answers that were given; nothing if the card is no form. */
export function listStepLines({ form, step }: PromptNotice, buttonMax: number): StepLine[] {
  if (form === null || step === undefined) return [];
  const given = step.given.map(({ number, question, answer }): StepLine => {
    return { text: `${number}. ${oneLine(question)} → ${oneLine(answer)}`, as: "plain" };
  });
  if (step.asked === null)
    return [{ text: "All answered. Nothing is sent before you tap Send:", as: "bold" }, ...given];
  const { number, field } = step.asked;
  const title = step.of === 1 ? "" : `Question ${number} of ${step.of}: `;
  const several = field.multi ? " (tick any number)" : "";
  const options = field.options.flatMap(({ label, detail }, index) => {
    const line = `    ${index + 1}. ${label}`;
    if (detail === undefined) return line.length > buttonMax ? [line] : [];
    return [`${line}: ${detail}`];
  });
  return [
    ...given,
    { text: `${title}${oneLine(field.question)}${several}`, as: "bold" },
    ...options.map((text): StepLine => ({ text, as: "plain" })),
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The content without what the steps of the form show one by one. */
export function omitSteppedContent(notice: PromptNotice): PromptNotice {
  const { form, step, content } = notice;
  if (form === null || step === undefined || content.cut !== null || content.hidden !== undefined)
    return notice;
  const shown = form.flatMap(({ question, options }) => [
    question,
    ...options.flatMap(({ label, detail }) => [label, detail ?? ""]),
  ]);
  const rest = [...shown]
    .sort((a, b) => b.length - a.length)
    .reduce(
      (left, part) => (strip(part) === "" ? left : left.replaceAll(strip(part), "")),
      strip(content.text),
    );
  // The rest consists of numbers, signs, and the words of how to answer in writing.
  const isListed = listsForm(notice) && !/\p{L}/u.test(rest.replaceAll("(several:1,3ornone)", ""));
  return isListed ? { ...notice, content: { ...content, text: "" }, question: "" } : notice;
}

/** `1) Yes`, `[1] Yes`, `1. Yes`. */
const NUMBERED = /^[[(]?(\d{1,3})[\])}.:]{1,2}\s{1,8}(\S.*)$/;
/** Menus of many choices are printed in columns. */
const BETWEEN_COLUMNS = /\s{2,80}(?=[[(]?\d{1,3}[\])}.:])/;

/**
 * The content without the rows that number the choices: each choice is on its button, or in the list of the card. Rows stay if
 * one contains more than its choices, and in content that is partly omitted.
 */
export function omitChoiceRows(notice: PromptNotice): PromptNotice {
  const { choices, content, form, confidence, safetyClass } = notice;
  // Approved content keeps all its rows: a command may contain such rows, too.
  if (safetyClass !== "question" || form !== null || choices.length === 0 || confidence === "low")
    return notice;
  if ((content.cut !== null && content.cut.above !== true) || content.hidden !== undefined) return notice;
  const lines = content.text.split("\n");
  // The last such rows are those that ask: above them may stand the menu of the question before.
  const end = lines.findLastIndex((line) => listChoicesOf(notice, line) !== null);
  const found = new Set<number>();
  for (let at = end; at >= 0; at -= 1) {
    const row = listChoicesOf(notice, lines[at] ?? "");
    if (row === null || row.some((index) => found.has(index))) return notice;
    row.forEach((index) => found.add(index));
    if (found.size < choices.length) continue;
    lines.splice(at, end - at + 1);
    return { ...notice, content: { ...content, text: lines.join("\n").trimEnd() } };
  }
  return notice;
}

/** The choices (from 0) in a row that holds nothing else, or null. */
function listChoicesOf(notice: PromptNotice, line: string): number[] | null {
  const cells = line.trim().split(BETWEEN_COLUMNS);
  const indexes = cells.map((cell) => {
    const [, number, label = ""] = NUMBERED.exec(cell) ?? [];
    return notice.choices.findIndex(
      (choice, index) =>
        number === formatChoiceName(notice, index + 1) && oneLine(label) === oneLine(choice.label),
    );
  });
  return indexes.includes(-1) ? null : indexes;
}

/**
 * The indexes (from 0) of the choices that the card writes out: those whose button cannot show them in full, and all of them if some
 * have no button. So each choice stands once, on its button or in the text.
 */
export function selectListedChoices(notice: PromptNotice, buttonMax: number): number[] {
  const { choices, buttons } = notice;
  const all = choices.map((_, index) => index);
  if (buttons.length < choices.length) return all;
  return all.filter((index) => {
    const choice = choices[index];
    const button = buttons[index];
    if (choice === undefined || button === undefined || choice.detail !== undefined) return true;
    return formatButtonLabel(notice, button).length > buttonMax;
  });
}

/** `2. No, exit`, with a note if it is the tool's default. */
export function formatListedChoice(notice: PromptNotice, index: number, labelMax: number = Infinity): string {
  const label = clip(notice.choices[index]?.label ?? "", labelMax);
  const note = notice.defaultChoice === index + 1 ? " (the tool's default)" : "";
  return `${formatChoiceName(notice, index + 1)}. ${label}${note}`;
}

export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** The complete content as a file, with the parts around it that the card shortens: `question` and `choices`, if not null. */
export function buildContentFile(
  { session, shortId, content }: PromptNotice,
  { question, choices }: { readonly question: string | null; readonly choices: string | null },
): TextFile {
  const parts = [question ?? "", content.text, choices ?? ""].filter((part) => part !== "");
  // Never the name that a tool gives itself.
  const tool = session.tool.replace(/[^\w-]/g, "").slice(0, 32) || "prompt";
  return { name: `${tool}-${shortId}.txt`, text: parts.join("\n\n") };
}

/** Content in the room of a card. */
export interface Preview {
  readonly text: string;
  /** How many characters are left out. */
  readonly omitted: number;
}

/**
 * The beginning and the end of a text in at most `room` UTF-16 units, and between them a line that says how many characters are left
 * out; the whole text if it fits. `count`: of the part that is left out, where the text was changed for the card.
 */
export function makePreview(
  text: string,
  room: number,
  count: (part: string) => number = ({ length }) => length,
): Preview {
  if (text.length <= room) return { text, omitted: 0 };
  if (room < OMISSION_MAX) return { text: "", omitted: count(text) };
  const half = Math.floor((room - OMISSION_MAX) / 2);
  const headEnd = findBoundary(text, half);
  const lineEnd = text.lastIndexOf("\n", headEnd - 1) + 1;
  const head = text.slice(0, lineEnd > half / 2 ? lineEnd : headEnd);
  let tailStart = text.length - half;
  while (findBoundary(text, tailStart) < tailStart) tailStart += 1;
  const lineStart = text.indexOf("\n", tailStart - 1) + 1;
  const tail = text.slice(lineStart > 0 && lineStart < text.length - half / 2 ? lineStart : tailStart);
  const between = text.slice(head.length, text.length - tail.length);
  const omitted = count(between);
  const line = `⋯ ${formatCount(omitted)} characters not shown ⋯`;
  const parts = [head, head.endsWith("\n") ? "" : "…\n", line, between.endsWith("\n") ? "\n" : "\n…", tail];
  return { text: parts.join(""), omitted };
}

const OMISSION_MAX = "…\n⋯ 1,000,000,000 characters not shown ⋯\n…".length;
