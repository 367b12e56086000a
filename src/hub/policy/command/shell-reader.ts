/**
 * A command line as a maintained parser of bash reads it (ADR 42): every simple command in it, also those in substitutions, in
 * groups and behind programs that run others. Loaded only when a rule names commands. Pure.
 */
import { forEachChild, parse, type Command, type Redirection, type SyntaxNode, type Word } from "unbash";
import { isDevice } from "./destroying.js";
import { HAVE_OPERAND, RUNS_NOTHING, RUNS_OTHERS } from "./programs.js";
import { SHELLS } from "../../../model/data/shells.js";
import { LINE_LENGTH_MAX, type PlainCommand } from "./plain-line.js";
import { getBaseName } from "./inner-programs.js";

/** A simple command somewhere in a line. Null is a word that is known only when it runs. */
export interface FoundCommand {
  readonly words: readonly (string | null)[];
  /** Otherwise its words may be arguments of the program before them. */
  readonly isCertain: boolean;
}

export interface ShellReading {
  readonly commands: readonly FoundCommand[];
  /** Words that name files: of commands and of redirections. */
  readonly words: readonly string[];
  /** Commands can run that are not among these: of a program that runs its arguments, of a name that is only known later. */
  readonly isOpen: boolean;
  readonly hasUnknownWords: boolean;
  /** A redirection empties a file without anything being written to it, or writes to a device. */
  readonly isEmptying: boolean;
}

/** Shells in shells; more is a trick. */
const DEPTH_MAX = 6;
/** Each level of nesting costs the parser the rest of the line again. */
const OPENING_SIGNS_MAX = 60;
/** Each word of a wrapper may begin a command; a line that has more is not read to its end. */
const COMMANDS_MAX = 150;
/** Options of a wrapper; the command that it runs begins among them. */
const WRAPPED_WORDS_MAX = 40;

export function readShellLine(line: string): ShellReading {
  const collector = new Collector();
  try {
    collector.readLine(line, 0);
  } catch {
    // A text that is nested beyond the parser's means.
    collector.giveUp();
  }
  return collector.reading();
}

class Collector {
  readonly #commands: FoundCommand[] = [];
  readonly #words: string[] = [];
  #isOpen = false;
  #hasUnknownWords = false;
  #isEmptying = false;

  reading(): ShellReading {
    const [commands, words, isEmptying] = [this.#commands, this.#words, this.#isEmptying];
    return { commands, words, isOpen: this.#isOpen, hasUnknownWords: this.#hasUnknownWords, isEmptying };
  }

  giveUp(): void {
    this.#isOpen = true;
    this.#hasUnknownWords = true;
  }

  readLine(line: string, depth: number): void {
    if (depth > DEPTH_MAX || line.length > LINE_LENGTH_MAX || countOpeningSigns(line) > OPENING_SIGNS_MAX) {
      this.#isOpen = true;
      return;
    }
    const script = parse(line);
    if (script.errors !== undefined && script.errors.length > 0) this.#isOpen = true;
    this.#visit(script, depth);
  }

  #visit(node: SyntaxNode, depth: number): void {
    if ("errors" in node && node.errors !== undefined && node.errors.length > 0) this.#isOpen = true;
    if (node.type === "Command") this.#addCommand(node, depth);
    // A function or a coprocess gives a word another meaning.
    if (node.type === "Function" || node.type === "Coproc") this.#isOpen = true;
    // If a shell reads it as a variable or a number, it runs the subscript: `test -v 'a[$(x)]'`.
    if (node.type === "Word" && SUBSCRIPT.test(readWord(node) ?? "")) this.#isOpen = true;
    if (node.type === "HereDoc") this.#hasUnknownWords = true;
    if ((node.type === "Redirect" || node.type === "HereString") && node.target)
      this.#addWord(readWord(node.target));
    forEachChild(node, (child) => this.#visit(child, depth));
  }

  #addCommand(command: Command, depth: number): void {
    // It may be the path in which programs are looked for.
    if (command.prefix.some(({ type }) => type === "Assignment")) this.#isOpen = true;
    const { name, redirects } = command;
    this.#isEmptying ||= redirects.some((each) => isEmptying(each, command));
    if (name === undefined) return;
    const words = [
      readWord(name),
      ...command.args.map((each) => (each.type === "Word" ? readWord(each) : each.text)),
    ];
    this.#addWords(words, depth);
    if (!words.some((word) => word !== null && SHELLS.has(getBaseName(word)))) return;
    // What a shell reads from its input, it runs.
    for (const text of redirects.map(readInput)) {
      if (text === null) this.#commands.push({ words: [null], isCertain: true });
      else if (text !== undefined) this.readLine(text, depth + 1);
    }
  }

  #addWords(words: readonly (string | null)[], depth: number, isCertain = true): void {
    if (this.#commands.length >= COMMANDS_MAX || depth > DEPTH_MAX) {
      this.#isOpen = true;
      return;
    }
    this.#commands.push({ words, isCertain });
    words.forEach((word) => this.#addWord(word));
    const [program] = words;
    if (program != null && !runsOthers(program, words)) return;
    this.#isOpen = true;
    if (program == null) return;
    // Options of such programs are many: each word may begin the command, and each text may be one.
    const name = getBaseName(program);
    let mayBegin = RUNS_OTHERS.has(name) && !RUNS_NOTHING.has(name);
    const isOperand = (at: number): boolean => at === 0 && HAVE_OPERAND.has(name);
    words.slice(1, WRAPPED_WORDS_MAX).forEach((word, at) => {
      if (word !== null && /\s/.test(word)) this.readLine(word, depth + 1);
      const follows = words[at]?.startsWith("-") === true;
      if (word !== null ? !word.startsWith("-") : mayBegin)
        this.#addWords(
          words.slice(at + 1, at + 1 + WRAPPED_WORDS_MAX),
          depth + 1,
          mayBegin && !isOperand(at),
        );
      // A word after an option may be its value.
      if (word?.startsWith("-") !== true && !follows && !isOperand(at) && !isAssignment(word))
        mayBegin = false;
    });
    if (name === "eval") this.readLine(words.slice(1).join(" "), depth + 1);
  }

  #addWord(word: string | null): void {
    if (word === null) this.#hasUnknownWords = true;
    else this.#words.push(word);
  }
}

const SUBSCRIPT = /[A-Za-z0-9_]\[[^\]]*(?:\$\(|`)/;

/** `env` takes them before the program. */
function isAssignment(word: string | null): boolean {
  return word !== null && /^[A-Za-z_][A-Za-z0-9_]*=/.test(word);
}

function readInput(redirect: Redirection): string | null | undefined {
  if (redirect.type === "HereString") return redirect.target === undefined ? null : readWord(redirect.target);
  if (redirect.type !== "HereDoc") return undefined;
  return (redirect.body.parts ?? []).every(isLiteral) ? redirect.body.text : null;
}

/** Programs that write nothing, or write only what their words say. */
const WRITES_NOTHING = /^(?::|true|false|(?:cat|cp) \/dev\/null|echo -n|printf)$/;

function isEmptying(redirect: Redirection, { name, args }: Command): boolean {
  if (redirect.type !== "Redirect" || !/^(?:&?>>?|>\||<>)$/.test(redirect.operator)) return false;
  const { target, operator } = redirect;
  const path = target === undefined ? null : readWord(target);
  if (path !== null && path.startsWith("/dev/")) return isDevice(path);
  if (operator.endsWith(">>") || operator === "<>") return false;
  const words = [name, ...args].map((word) => (word?.type === "Word" ? word.value : ""));
  return (
    words.every((word) => word === "") || WRITES_NOTHING.test(words.filter((word) => word !== "").join(" "))
  );
}

function countOpeningSigns(line: string): number {
  return line.match(/[({`[]|<</g)?.length ?? 0;
}

function runsOthers(program: string, words: readonly (string | null)[]): boolean {
  const name = getBaseName(program);
  if (RUNS_OTHERS.has(name)) return true;
  return words.some((word) => word !== null && /^-{1,2}(?:exec|ok|x$|X$|to-command|rsh|pre$)/.test(word));
}

function readWord({ parts, value }: Word): string | null {
  return (parts ?? []).every(isLiteral) ? value : null;
}

function isLiteral(part: SyntaxNode): boolean {
  if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted") return true;
  return part.type === "DoubleQuoted" && part.parts.every((inner) => inner.type === "Literal");
}

/** Whether the parser sees the same commands as our own strict reading: what both understand alike, a shell hardly reads otherwise. */
export function agrees(line: string, commands: readonly PlainCommand[]): boolean {
  const script = parse(line);
  if (script.errors !== undefined && script.errors.length > 0) return false;
  const found = script.commands.map(({ command, background }) => (background ? null : listSimple(command)));
  if (found.includes(null)) return false;
  const all = found.flatMap((each) => each ?? []);
  return (
    all.length === commands.length &&
    all.every(
      (words, at) =>
        words.length === commands[at]?.words.length &&
        words.every((word, index) => word === commands[at]?.words[index]),
    )
  );
}

function listSimple(node: SyntaxNode): readonly (readonly string[])[] | null {
  if (node.type === "AndOr") return join(node.commands.map(listSimple));
  if (node.type === "Pipeline") return node.prefixes.length > 0 ? null : join(node.commands.map(listSimple));
  if (node.type !== "Command" || node.name === undefined) return null;
  const suffix = node.suffix.filter((part) => !isHarmless(part));
  if (node.prefix.some((part) => !isHarmless(part)) || suffix.some(({ type }) => type !== "Word"))
    return null;
  const words = [node.name, ...suffix.filter((part) => part.type === "Word")];
  return words.every((word) => (word.parts ?? []).every(isPlain)) ? [words.map(({ value }) => value)] : null;
}

function join(
  lists: readonly (readonly (readonly string[])[] | null)[],
): readonly (readonly string[])[] | null {
  return lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
}

function isPlain(part: SyntaxNode): boolean {
  return isLiteral(part) || (part.type === "Glob" && part.kind !== "bracket");
}

/** Output dropped, or joined with the other output. */
function isHarmless(part: { readonly type: string } | Redirection): boolean {
  if (part.type !== "Redirect" || !("operator" in part)) return false;
  const { operator, target } = part;
  if (operator === ">&") return target?.value === "1" || target?.value === "2";
  return (operator === ">" || operator === "<") && target?.value === "/dev/null";
}
