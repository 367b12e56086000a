/** Finds names, folders, addresses and secrets that identify people in a recording. */
import { findSecretSpans, type SecretSpan } from "../../src/safety/redact.js";

/** The person to hide. Empty names are ignored. */
export interface Owner {
  readonly home: string;
  readonly user: string;
  readonly host: string;
  /** Working folders; their names are private within paths. */
  readonly folders?: readonly string[];
}

export interface PrivatePart extends SecretSpan {
  /** As long as the text that it replaces. */
  readonly standIn: string;
}

/** Takes latin1 text, so that lengths are bytes. Parts may overlap. */
export type Finder = (text: string) => readonly PrivatePart[];

/** Common names, which identify nobody. */
const NOBODY = new Set(["root", "user", "dev", "host", "localhost", "home", "Users"]);
/** Shorter names are parts of many words. */
const NAME_LENGTH_MIN = 3;
/** Common on many machines. */
const COMMON_FOLDERS = new Set(
  "Desktop Documents Downloads Projects app apps bin build code dist docs etc git lib mnt opt packages private proj project projects repo repos srv src test tests tmp usr var work workspace".split(
    " ",
  ),
);

/** Finds names of the owner, also in text whose rows were joined. */
export function findOwnersNames({ home, user, host, folders = [] }: Owner): Finder {
  const names = [
    ...home.split("/").map((name) => [name, "user"] as const),
    [user, "user"] as const,
    [host, "host"] as const,
    [host.split(".")[0] ?? "", "host"] as const,
  ].filter(([name]) => isTelling(name));
  const known = new Set(names.map(([name]) => name));
  const inPaths = folders
    .flatMap((folder) => folder.split("/"))
    .filter((name) => isTelling(name) && !COMMON_FOLDERS.has(name) && !known.has(name));
  const finders = [
    ...names.map(([name, stem]) => createWordFinder(name, stem, "(?<![A-Za-z0-9])")),
    ...inPaths.map((name) => createWordFinder(name, "folder", "(?<=/)")),
  ];
  return (text) => finders.flatMap((find) => find(text));
}

function isTelling(name: string): boolean {
  return name.length >= NAME_LENGTH_MIN && !NOBODY.has(name);
}

function createWordFinder(name: string, stem: string, before: string): Finder {
  const literal = encodeAsBytes(name).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const found = new RegExp(`${before}${literal}(?![A-Za-z0-9])`, "g");
  return (text) => findParts(text, found, (word) => repeatStem(stem, word.length));
}

/** Finds homes of other people, mail addresses, tokens and other secrets. */
export const anybodysTraces: Finder = (text) => [...plainTraces(text), ...findPrivateSecrets(text, true)];

/** Without parts that may be harmless, for texts that a person has reviewed. */
export const plainTraces: Finder = (text) => [
  // Tools shorten paths with dots.
  ...findParts(text, /(?<=\/(?:home|Users)\/)(?!(?:dev|user|runner)\b|\.+\/)[A-Za-z0-9._-]{1,64}/g, (name) =>
    repeatStem("user", name.length),
  ),
  ...findParts(text, MAIL_ADDRESS, maskText).filter(({ start, end }) => !isNobodys(text.slice(start, end))),
  ...findPrivateSecrets(text, false),
];

function findPrivateSecrets(text: string, byName: boolean): PrivatePart[] {
  return findSecretSpans(text)
    .filter(({ isByName }) => byName || !isByName)
    .map(({ start, end }) => ({ start, end, standIn: maskText(text.slice(start, end)) }));
}

const MAIL_ADDRESS =
  /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![A-Za-z0-9])/g;

/** `git@host` names a repository; the domains are reserved. */
function isNobodys(address: string): boolean {
  return /^git@|[@.](?:example\.[a-z]{2,4}|(?:test|invalid|localhost|example))$/i.test(address);
}

function findParts(text: string, pattern: RegExp, makeStandIn: (found: string) => string): PrivatePart[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
    standIn: makeStandIn(found),
  }));
}

function repeatStem(stem: string, length: number): string {
  return stem.repeat(Math.ceil(length / stem.length)).slice(0, length);
}

function maskText(text: string): string {
  return text.replace(/[^\s\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]/g, "x");
}

/** One character for each byte, so that positions are byte positions. */
export function encodeAsBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** False for a replacement that was found again. */
export function revealsPart(text: string, { start, end, standIn }: PrivatePart): boolean {
  return text.slice(start, end) !== standIn;
}

export interface PlainText {
  readonly text: string;
  /** For each character of `text`, its position in the output. */
  readonly places: Uint32Array;
}

const ESCAPE = "\u001b";
/** Parameters, intermediates, final letter. */
const CSI = /\u001b\[[0-?]{0,256}[ -/]{0,16}([@-~])/y;
/** Titles, links and reports contain text, too. */
const STRING_START = /\u001b[\]PX^_]/y;
const STRING_END = /\u0007|\u001b\\/y;
const OTHER_ESCAPE = /\u001b[ -/]{0,16}[0-~]?/y;
/** Tools move the cursor instead of writing blanks. */
const TO_A_ROW = "HfABEFdST";
const ALONG_A_ROW = "CDG`a";

/** `output`: latin1. Rows are separated by line feeds. */
export function toPlainText(output: string): PlainText {
  const text = Buffer.alloc(output.length);
  const places = new Uint32Array(output.length);
  let length = 0;
  for (let at = 0; at < output.length;) {
    const piece = readPiece(output, at);
    if (piece.stands !== "") {
      text[length] = piece.stands.charCodeAt(0);
      places[length++] = at;
    }
    at += piece.length;
  }
  return { text: text.toString("latin1", 0, length), places: places.subarray(0, length) };
}

/** Reads one character or sequence. `stands`: its text, which may be empty. */
function readPiece(output: string, at: number): { length: number; stands: string } {
  const character = output[at] ?? "";
  if (character === ESCAPE) return readSequence(output, at);
  const isDrawn = character >= " " && character !== "\u007f";
  if (isDrawn) return { length: 1, stands: character };
  // A bell ends a title.
  return {
    length: 1,
    stands: character === "\n" || character === "\u0007" ? "\n" : character === "\t" ? " " : "",
  };
}

function readSequence(output: string, at: number): { length: number; stands: string } {
  const control = matchAt(CSI, output, at);
  if (control) {
    const letter = control[1] ?? "";
    const stands = TO_A_ROW.includes(letter) ? "\n" : ALONG_A_ROW.includes(letter) ? " " : "";
    return { length: control[0].length, stands };
  }
  const edge = matchAt(STRING_START, output, at) ?? matchAt(STRING_END, output, at);
  if (edge) return { length: edge[0].length, stands: "\n" };
  return { length: matchAt(OTHER_ESCAPE, output, at)?.[0].length ?? 1, stands: "" };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** With borders and blanks on both sides; `│` is three bytes. */
const ROW_END = / {0,256}(?:\u00e2\u0094\u0082)?\n {0,256}(?:\u00e2\u0094\u0082)? {0,256}/g;

/** Joins rows, because a tool may wrap a name at the edge of its box. */
export function withoutRowEnds({ text, places }: PlainText): PlainText {
  const kept: string[] = [];
  const keptPlaces = new Uint32Array(text.length);
  let length = 0;
  let from = 0;
  const keep = (until: number): void => {
    kept.push(text.slice(from, until));
    keptPlaces.set(places.subarray(from, until), length);
    length += until - from;
  };
  for (const end of text.matchAll(ROW_END)) {
    keep(end.index);
    from = end.index + end[0].length;
  }
  keep(text.length);
  return { text: kept.join(""), places: keptPlaces.subarray(0, length) };
}
