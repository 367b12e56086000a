/** Adapter file → `CompiledAdapter`: checks what the schema cannot say, fills in defaults, gives plain data back. */
import { parseYaml } from "../../../config/yaml-file.js";
import { assertInvariant } from "../../../model/errors.js";
import { CONFIDENCE_FLOOR, type PromptType, type SafetyClass } from "../../../model/prompt.js";
import { DEFAULT_TEXT_MAX } from "../../../model/answer/reply.js";
import type { CheckListKeys } from "../../../sdk/candidate.js";
import {
  PROGRAM_FAMILIES,
  LATER_SECTIONS,
  type AgentFile,
  type RuleEntry,
  type Shape,
  type StateEntry,
} from "../adapter-file.js";
import { linkedFile } from "../adapter-links.js";
import { ADAPTER_INVALID, createAdapterError } from "../adapter-refusal.js";
import { compileChoice, compileHidden } from "./compile-choice.js";
import { compileCoattach } from "./compiled-coattach.js";
import { compileHooks } from "./compile-hooks.js";
import { compileHeadless } from "./compiled-headless.js";
import { findKey } from "../key-names.js";
import { isListShape } from "../rule-problems.js";

/**
 * A dialog is drawn in one or few writes; after this long without a change in it, it is whole. While something moves elsewhere a
 * look comes up to 50 ms late (`frame-scheduler.ts`); both together keep a prompt within 150 ms of its last change.
 */
export const STABLE_MS = 100;
/** Rows from the bottom that tell working from idle: status line, input box and the line above it. */
const STATE_ROWS = 8;

/** Reads one file's text. Errors: ATB_ADAPTER_INVALID with line, column, the problem and a suggestion. */
export function compileAdapter(text: string, file: string) {
  rejectLaterSections(text, file);
  const parsed = parseYaml(text, file, linkedFile, ADAPTER_INVALID);
  return {
    name: parsed.name,
    version: parsed.version,
    description: parsed.description,
    supportedVersions: parsed.supported_versions ?? null,
    tested: parsed.tested,
    aliases: parsed.aliases,
    process: {
      executables: listExecutables(parsed),
      install: parsed.process.install ?? null,
      env: parsed.process.env,
    },
    signals: { programStatus: (parsed.reports && parsed.reports.program_status) || null },
    hooks: parsed.hooks ? compileHooks(parsed.hooks) : null,
    coattach: parsed.coattach ? compileCoattach(parsed.coattach) : null,
    acp: parsed.acp ? compileAcp(parsed.acp) : null,
    headless: parsed.headless ? compileHeadless(parsed.headless) : null,
    states: {
      working: (parsed.states?.working ?? []).map(compileStatePattern),
      waiting: (parsed.states?.waiting ?? []).map(compileStatePattern),
      idle: (parsed.states?.idle ?? []).map(compileStatePattern),
    },
    lastAnswer: parsed.last_answer ?? null,
    resume: parsed.resume ?? null,
    composer: parsed.composer
      ? { ...parsed.composer, frame: parsed.composer.frame ?? null, clear: parsed.composer.clear ?? null }
      : null,
    commands: parsed.composer_commands ?? (parsed.composer ? [] : null),
    interrupt: [parsed.interrupt ?? []].flat(),
    asking: compileAsking(parsed),
    unread: parsed.unread,
    unreadKeys: parsed.unread_keys,
    passivePrograms: parsed.passive_programs,
    noMenus: parsed.no_menus,
    rules: parsed.rules.map((entry) => compileRule({ ...parsed.defaults, ...entry })),
  };
}

/**
 * Sections and families of the format that have no runtime yet are named at once, before the schema calls every key of theirs
 * unknown. Read from the text, for the file need not fit the schema.
 */
function rejectLaterSections(text: string, file: string): void {
  for (const [index, line] of text.split("\n").entries()) {
    const place = `${file}:${index + 1}:1`;
    const [, key = "", value = ""] = /^(\w{1,40}):[ \t]{0,8}["']?(\w{0,40})/.exec(line) ?? [];
    if (key === "family" && PROGRAM_FAMILIES.some((family) => family === value)) {
      throw createAdapterError(
        `${place}: family "${value}" is that of a program file, not of an agent`,
        'Put the file into the folder "programs" beside this one.',
      );
    }
    if (LATER_SECTIONS.some((section) => section === key)) {
      throw createAdapterError(
        `${place}: section "${key}" is not yet supported`,
        "Remove it; it would do nothing.",
      );
    }
  }
}

function listExecutables(file: AgentFile): string[] {
  const { executable, executable_candidates: candidates } = file.process;
  return candidates ?? (executable ? [executable] : []);
}

export function compileStatePattern(entry: StateEntry) {
  if (typeof entry === "string") return { pattern: entry, rows: STATE_ROWS, at: null };
  return { pattern: entry.pattern, rows: entry.rows ?? STATE_ROWS, at: entry.at ?? null };
}

export function compileAcp({ command, install, offers, asking }: NonNullable<AgentFile["acp"]>) {
  return { command, install: install ?? null, offers, asking: asking ?? null };
}

export function compileAsking({ asking }: AgentFile) {
  if (!asking) return null;
  return {
    args: asking.args,
    option: asking.option ?? null,
    asks: asking.asks,
    neverAsksFlags: asking.never_asks_flags,
    note: asking.note,
  };
}

export function compileRule(entry: RuleEntry) {
  const { shape, class: safetyClass, confidence } = entry;
  assertInvariant(
    shape && safetyClass && confidence !== undefined,
    "a rule without its shape, class or confidence",
  );
  return {
    name: entry.name,
    shape,
    safetyClass,
    fitsAnyMenu: entry.fits_any_menu ?? false,
    hasTitleAboveLine: entry.title_above_line ?? false,
    promptType: shape === "field" && safetyClass === "secret" ? "secret" : PROMPT_TYPES[shape],
    score: scoreConfidence(confidence),
    question: entry.question ?? null,
    requires: entry.requires ?? [],
    forbids: entry.forbids ?? [],
    list: isListShape(shape) && entry.list ? compileList(entry.list, entry) : null,
    tty: entry.tty ?? null,
    readsInside: entry.reads_inside ?? false,
    programs: entry.programs ?? [],
    header: entry.header ?? null,
    buttons: entry.buttons ?? null,
    entry: entry.entry ?? [],
    clear: entry.clear === undefined ? null : findKey(entry.clear),
    frame: entry.frame ?? null,
    top: entry.top ?? null,
    start: entry.start ?? null,
    queue: entry.queue ?? null,
    footer: entry.footer ?? [],
    field: entry.field ?? null,
    tail: entry.tail ?? null,
    cut: entry.cut ?? [],
    content: entry.content ?? chooseContent(safetyClass),
    choices: (entry.choices ?? []).map(compileChoice),
    ifHidden: entry.if_hidden ? compileHidden(entry.if_hidden) : null,
    answer: entry.answer ?? "digit",
    checkList: shape === "check_list" || shape === "radio_list" ? compileCheckList(entry) : null,
    textMax: entry.text_max ?? DEFAULT_TEXT_MAX,
    stableMs: entry.stable_ms ?? STABLE_MS,
    dropsKeysMs: entry.drops_keys_ms ?? 0,
  };
}

/** Beside a gutter or in a window a footer is between the rows, with the same indentation. */
export function compileList(list: NonNullable<RuleEntry["list"]>, { frame, footer }: RuleEntry) {
  const { rows_min: rowsMin, chosen_behind: chosenBehind, edge = null, last = null, ...others } = list;
  const isAmong = frame === "gutter" || frame === "window";
  return { ...others, edge, last, rowsMin, chosenBehind, ends: isAmong ? (footer ?? []) : [] };
}

function compileCheckList(entry: RuleEntry): CheckListKeys {
  const submit = (entry.submit ?? []).map(({ key, leads_to: leadsTo }) => ({
    key: findKey(key),
    ...(leadsTo !== undefined && { leadsTo }),
  }));
  return { submit, ...(entry.toggle !== undefined && { toggle: findKey(entry.toggle) }) };
}

const PROMPT_TYPES: Readonly<Record<Shape, PromptType>> = {
  list: "multiple_choice",
  check_list: "multiple_choice",
  page: "unknown",
  field: "free_text",
  confirm: "confirm_enter",
  yes_no: "yes_no",
  press_enter: "confirm_enter",
  line: "free_text",
  line_menu: "multiple_choice",
  radio_list: "multiple_choice",
  buttons: "multiple_choice",
  secret: "secret",
};

/** The choices of a question carry their meaning in their second lines; a permission is about the content above. */
function chooseContent(safetyClass: SafetyClass): "body" | "dialog" {
  return safetyClass === "question" ? "dialog" : "body";
}

function scoreConfidence(confidence: number | "high" | "medium" | "med" | "low"): number {
  if (typeof confidence === "number") return confidence;
  return CONFIDENCE_FLOOR[confidence === "med" ? "medium" : confidence];
}
