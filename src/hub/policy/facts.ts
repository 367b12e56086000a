/** Derives what a prompt is about, each part once and only when a rule asks for it. */
import { sep } from "node:path";
import { mapStrings } from "../../model/data/map-strings.js";
import type { PromptSource } from "../../model/prompt.js";
import { ELLIPSIS } from "../../safety/excerpt.js";
import { readCommandLine, type CommandLine } from "./command/command-line.js";
import { readCallCommand, type CallCommand } from "./call/call-command.js";
import { listHosts, type CallHosts } from "./call/call-hosts.js";
import { listCallPaths, type CallPaths } from "./call/call-paths.js";
import type { Place } from "./call/path-places.js";
import { isInside, joinPath, normalizePath } from "./paths.js";
import type { PolicySubject, PolicyWorld } from "./subject.js";

const TEXT_MAX = 64 * 1024;

/** Sources that report a prompt's content themselves, apart from what else is on the screen. */
const REPORTING_SOURCES: readonly PromptSource["kind"][] = ["hook", "protocol"];

/**
 * `all`: everything that the prompt names must match. `any`: one part is enough. `ask`: likewise, but a word that is known only
 * when a command runs is no doubt alone, or every variable would meet the rule: the command must name a part of the rule, or may
 * destroy.
 */
export type RuleReading = "all" | "any" | "ask";

export class Facts {
  readonly subject: PolicySubject;
  readonly world: PolicyWorld;
  #command: CallCommand | null | undefined;
  #line: CommandLine | null | undefined;
  #paths: CallPaths | undefined;
  #hosts: CallHosts | undefined;
  #text: string | undefined;
  #meaning: string | undefined;
  #lowerCaseTexts: readonly string[] | undefined;
  readonly #places = new Map<string, Place>();

  constructor(subject: PolicySubject, world: PolicyWorld) {
    this.subject = subject;
    this.world = world;
  }

  get input(): unknown {
    return this.subject.event.content.call?.input;
  }

  get home(): string {
    return this.world.home;
  }

  get command(): CallCommand | null {
    const { call } = this.subject.event.content;
    if (this.#command === undefined)
      this.#command = call === undefined ? null : readCallCommand(call.tool, call.input);
    return this.#command;
  }

  get line(): CommandLine | null {
    if (this.#line === undefined) this.#line = this.command === null ? null : readLine(this.command);
    return this.#line;
  }

  /** The directory in which the call is made, with `..` as written. */
  get directory(): string {
    const { event, session } = this.subject;
    const called = joinPath(event.content.call?.cwd ?? session.cwd, session.cwd, this.home);
    const { directory = null } = this.command ?? {};
    return directory === null ? called : joinPath(directory, called, this.home);
  }

  get paths(): CallPaths {
    this.#paths ??= listCallPaths(this);
    return this.#paths;
  }

  get hosts(): CallHosts {
    this.#hosts ??= listHosts(this.input);
    return this.#hosts;
  }

  /**
   * The prompt's text: `any`: question and content, as people see them. `all`: what a rule that answers may go by. On a screen the rows
   * above a question may be the remains of an earlier one, so there it is the question alone.
   */
  textFor(reading: RuleReading): { readonly text: string; readonly isCut: boolean } {
    const { excerpt, content, sources } = this.subject.event;
    const isReported =
      content.call !== undefined || sources.some(({ kind }) => REPORTING_SOURCES.includes(kind));
    if (reading === "all" && !isReported) return { text: excerpt, isCut: excerpt.endsWith(ELLIPSIS) };
    this.#text ??= `${excerpt}\n${content.text}`.slice(0, TEXT_MAX);
    return { text: this.#text, isCut: excerpt.length + content.text.length + 1 > TEXT_MAX };
  }

  get lowerCaseTexts(): readonly string[] {
    if (this.#lowerCaseTexts === undefined) {
      const texts: string[] = [];
      mapStrings(this.input ?? null, (text) => (texts.push(text.toLowerCase()), text));
      this.#lowerCaseTexts = texts;
    }
    return this.#lowerCaseTexts;
  }

  /** What the call means beside its text, a row each: the words of its commands without quotes, and where its paths really lie. */
  get meaning(): string {
    if (this.#meaning === undefined) {
      const commands = [...(this.line?.reading.commands ?? []), ...(this.line?.plain ?? [])];
      const rows = commands.map(({ words }) => words.join(" ").replace(/\s+/g, " "));
      const here = this.resolve(this.directory);
      // The names of the directories above say nothing about the request.
      const places = this.paths.possible.map((path) => {
        const real = this.resolve(path);
        return isInside(real, here) ? real.slice(here === sep ? 1 : here.length + 1) : real;
      });
      // No row is the beginning of the text that people see.
      this.#meaning = ["", ...new Set([...rows, ...places])].join("\n").slice(0, TEXT_MAX);
    }
    return this.#meaning;
  }

  resolve = (path: string): string => this.locate(path).real;

  /** By its words and really. `path` is absolute. Many rules ask for the same. */
  locate = (path: string): Place => {
    let place = this.#places.get(path);
    if (place === undefined) {
      place = { named: normalizePath(path), real: normalizePath(this.world.resolveLinks(path)) };
      this.#places.set(path, place);
    }
    return place;
  };
}

/** A text that is not certain to be just this command is read as a whole, and is never plain. */
function readLine({ text, all, problem }: CallCommand): CommandLine {
  return problem === null
    ? readCommandLine(text)
    : { ...readCommandLine(all), text, plain: null, why: problem };
}
