/**
 * The conditions of a rule, compiled once. Each is judged in one of two readings: `all` for rules that permit (every part must be
 * named), `any` for rules that forbid or ask (one part is enough). An undecidable case is `unknown`, which permits nothing. Pure.
 */
import type { Choice } from "../../model/prompt.js";
import { allowsAll, containsAny, type Finding, type Truth } from "./command/command-line.js";
import { parsePrefix } from "./command/prefix.js";
import { findDestruction } from "./destructive.js";
import type { Facts, RuleReading } from "./facts.js";
import { DAYS, toList, type ConditionEntries } from "./file/policy-file.js";
import { normalizePath, joinPath } from "./paths.js";
import { isAbove, isPartlyInside, isWhollyInside, locateRoots, mentionsPath } from "./call/path-places.js";
import { compilePattern } from "./pattern.js";

export interface Condition {
  readonly key: string;
  readonly judge: (facts: Facts, reading: RuleReading) => Finding;
}

const YES: Finding = { truth: "yes", why: "" };

function no(why: string): Finding {
  return { truth: "no", why };
}

function unknown(why: string): Finding {
  return { truth: "unknown", why };
}

type Compilers = {
  readonly [K in keyof ConditionEntries]-?: (entry: NonNullable<ConditionEntries[K]>) => Condition["judge"];
};

const COMPILERS: Compilers = {
  tool: (entry) => isOneOf(toList(entry), "the tool", ({ subject }) => subject.session.tool),
  label: (entry) => isLike(toList(entry), "the label", ({ subject }) => subject.session.label),
  cwd: (entry) => judgeDirectory(toList(entry)),
  path: (entry) => judgePaths(toList(entry)),
  type: (entry) => isOneOf(toList(entry), "the prompt type", ({ subject }) => subject.event.promptType),
  class: (entry) => isOneOf(toList(entry), "the class", ({ subject }) => subject.event.safetyClass),
  confidence: (entry) => isOneOf(toList(entry), "the confidence", ({ subject }) => subject.event.confidence),
  intent: (entry) => judgeIntents(toList(entry)),
  call: (entry) =>
    isLike(toList(entry), "the call", ({ subject }) => subject.event.content.call?.tool ?? null),
  host: (entry) => judgeHosts(toList(entry)),
  command: (entry) => judgeCommand(toList(entry).map(parsePrefix)),
  text: (entry) => judgeText(toList(entry)),
  pattern: (entry) => judgePatterns(toList(entry)),
  time: ({ from, to }) => judgeTime(toMinutes(from), toMinutes(to)),
  day: (entry) => judgeDay(toList(entry)),
};

/** What takes longer comes later: one that certainly fails decides. */
const COSTLY: readonly string[] = ["command", "host", "cwd", "path", "text", "pattern"];

export function compileConditions(entries: ConditionEntries): readonly Condition[] {
  const compiled = Object.entries(entries).flatMap(([key, entry]) => {
    if (entry === undefined) return [];
    const compile = COMPILERS[key as keyof Compilers] as (entry: unknown) => Condition["judge"];
    return [{ key, judge: compile(entry) }];
  });
  return compiled.sort((a, b) => COSTLY.indexOf(a.key) - COSTLY.indexOf(b.key));
}

/** All of them, in Kleene's logic: a certain `no` decides, then an `unknown`. */
export function judgeAll(conditions: readonly Condition[], facts: Facts, reading: RuleReading): Finding {
  let open: Finding | null = null;
  let last = YES;
  for (const { key, judge } of conditions) {
    const { truth, why } = judge(facts, reading);
    if (truth === "yes" && why === "") continue;
    const named = { truth, why: why === "" ? "" : `${key}: ${why}` };
    if (truth === "no") return named;
    if (truth === "unknown") open ??= named;
    if (why !== "") last = named;
  }
  return open ?? last;
}

export function negate({ truth, why }: Finding): Finding {
  const opposite: Record<Truth, Truth> = { yes: "no", no: "yes", unknown: "unknown" };
  return { truth: opposite[truth], why };
}

function isOneOf(words: readonly string[], what: string, read: (facts: Facts) => string): Condition["judge"] {
  return (facts) => {
    const value = read(facts);
    return words.includes(value) ? YES : no(`${what} is ${value}`);
  };
}

function isLike(
  globs: readonly string[],
  what: string,
  read: (facts: Facts) => string | null,
): Condition["judge"] {
  const tests = globs.map(compileGlob);
  return (facts) => {
    const value = read(facts);
    if (value === null) return no(`there is no ${what.replace("the ", "")}`);
    return tests.some((test) => test(value)) ? YES : no(`${what} is ${value}`);
  };
}

/** Linear in the text for each part: the parts between the stars are looked for one behind the other. */
function compileGlob(glob: string): (text: string) => boolean {
  const [first = "", ...others] = glob.split("*");
  const last = others.pop();
  if (last === undefined) return (text) => text === glob;
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
      return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const part of others) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

function judgeDirectory(entries: readonly string[]): Condition["judge"] {
  return (facts, reading) => {
    const here = joinPath(facts.subject.session.cwd, "/", facts.home);
    const roots = locateRoots(entries, facts);
    const directories = facts.line === null ? [here] : [here, facts.directory];
    const isFound =
      reading === "all"
        ? directories.every((each) => isWhollyInside(each, roots, facts))
        : directories.some((each) => isPartlyInside(each, roots, facts));
    return isFound ? YES : no(`the directory is ${directories.map(normalizePath).join(", ")}`);
  };
}

function judgePaths(entries: readonly string[]): Condition["judge"] {
  return (facts, reading) => {
    const { paths, line, directory } = facts;
    const here = line === null ? [] : [directory];
    if (reading === "all" && !paths.isCertain) {
      const isNamed = here.length + paths.certain.length > 0;
      return no(isNamed ? "not every path of it is certain" : "no path is named");
    }
    const roots = locateRoots(entries, facts);
    if (reading === "all") {
      const named = [...here, ...paths.certain];
      return named.every((path) => isWhollyInside(path, roots, facts)) ? YES : no("a path lies elsewhere");
    }
    if ([...here, ...paths.possible].some((path) => isPartlyInside(path, roots, facts))) return YES;
    if (!paths.onlyLooks && paths.possible.some((path) => isAbove(path, roots, facts)))
      return unknown("a path above it is named");
    if (line !== null && roots.some((root) => mentionsPath(line.text, root.named, facts.home)))
      return unknown("a text of the command names it");
    const isOpen =
      reading === "any" ? paths.isOpen || paths.hasWildcard : paths.isOpen && findDestruction(facts) !== null;
    return isOpen ? unknown("a path is only known when the command runs") : no("no such path");
  };
}

function judgeIntents(intents: readonly Choice["intent"][]): Condition["judge"] {
  return ({ subject }) =>
    subject.event.choices.some(({ intent }) => intents.includes(intent))
      ? YES
      : no("no choice of the prompt does this");
}

function judgeHosts(entries: readonly string[]): Condition["judge"] {
  const names = entries.map((entry) => entry.toLowerCase());
  const bare = names.map((name) => name.replace(/^\*\./, ""));
  const isListed = (host: string): boolean =>
    names.some((name) => (name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name));
  return (facts, reading) => {
    const { fields, others, all } = facts.hosts;
    const isFound =
      reading === "all" ? fields.length > 0 && [...fields, ...others].every(isListed) : all.some(isListed);
    if (isFound) return YES;
    if (reading !== "all" && mayNameHost(facts, bare, reading)) return unknown("it may reach such a host");
    return no(all.length === 0 ? "no host is named" : `the host is ${all.join(", ")}`);
  };
}

/** Programs also take hosts without a scheme, and with a name before them; words of a command may only be known when it runs. */
function mayNameHost(
  { lowerCaseTexts, line }: Facts,
  names: readonly string[],
  reading: RuleReading,
): boolean {
  const isNamed = lowerCaseTexts.some((text) => names.some((name) => text.includes(name)));
  return (
    isNamed ||
    (reading === "any" &&
      line !== null &&
      (line.reading.isOpen || (line.plain === null && line.reading.hasUnknownWords)))
  );
}

function judgeCommand(prefixes: readonly ReturnType<typeof parsePrefix>[]): Condition["judge"] {
  return ({ line }, reading) => {
    if (line === null) return no("the prompt is about no shell command that the tool reported");
    return reading === "all" ? allowsAll(line, prefixes) : containsAny(line, prefixes, reading);
  };
}

function judgeText(wanted: readonly string[]): Condition["judge"] {
  return (facts, reading) =>
    searchText(
      facts,
      reading,
      (text) => wanted.some((words) => text.includes(words)),
      "the text is not there",
    );
}

function judgePatterns(sources: readonly string[]): Condition["judge"] {
  const patterns = sources.map(compilePattern);
  return (facts, reading) =>
    searchText(
      facts,
      reading,
      (text) => patterns.some((pattern) => pattern(text)),
      "the text does not match",
    );
}

function searchText(
  facts: Facts,
  reading: RuleReading,
  isFound: (text: string) => boolean,
  missing: string,
): Finding {
  const { text, isCut } = facts.textFor(reading);
  if (isFound(text) || (reading !== "all" && isFound(facts.meaning))) return YES;
  if (isCut) return unknown("the text is too long to be searched");
  const { line, paths } = facts;
  const isOpen =
    line !== null &&
    (paths.hasWildcard ? reading === "any" : line.plain === null && line.reading.hasUnknownWords);
  return isOpen && reading !== "all" ? unknown("a word is only known when the command runs") : no(missing);
}

function toMinutes(time: string): number {
  const [hours = "0", minutes = "0"] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}

function judgeTime(from: number, to: number): Condition["judge"] {
  return ({ subject }) => {
    const at = new Date(subject.now);
    const minutes = at.getHours() * 60 + at.getMinutes();
    const isWithin = from <= to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
    return isWithin ? YES : no("it is another time of day");
  };
}

function judgeDay(days: readonly (typeof DAYS)[number][]): Condition["judge"] {
  return ({ subject }) => {
    const day = DAYS[new Date(subject.now).getDay()];
    return day !== undefined && days.includes(day) ? YES : no(`it is ${day ?? "no day"}`);
  };
}
