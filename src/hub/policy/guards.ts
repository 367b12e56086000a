/** What no rule lifts: prompts and answers that always need a person. Reasons are for people. Pure. */
import { mapStrings } from "../../model/data/map-strings.js";
import { findAutomaticProblem } from "./automatic.js";
import { getBaseName } from "./command/inner-programs.js";
import type { Facts } from "./facts.js";
import { mentionsPath } from "./call/path-places.js";
import { isInside, normalizePath } from "./paths.js";

export function findGuard(facts: Facts): string | null {
  return (
    findAutomaticProblem(facts.subject.event) ??
    (touchesOwnFiles(facts) ? "it touches AtlasBridge itself" : null)
  );
}

/** The same for a rule that says yes: what only turns out when the command runs may be our own files, too. */
export function findApprovalGuard(facts: Facts): string | null {
  return findGuard(facts) ?? (mayTouchOwnFiles(facts) ? "it may touch AtlasBridge itself" : null);
}

/** With AtlasBridge's own program or files a tool could answer itself. */
function touchesOwnFiles(facts: Facts): boolean {
  const { line, paths } = facts;
  const commands = [...(line?.reading.commands ?? []), ...(line?.plain ?? [])];
  if (commands.some(({ words }) => words.some((word) => word !== null && isOwnProgram(word)))) return true;
  const mayDestroy =
    line === null || !line.reading.commands.every(({ words: [program] }) => isReader(program));
  if (paths.possible.some((path) => touches(facts, path, mayDestroy || paths.hasWildcard))) return true;
  return mentionsOwnFiles(facts);
}

function mayTouchOwnFiles({ line, paths }: Facts): boolean {
  if (paths.isOpen) return true;
  if (line === null || line.reading.commands.every(({ words: [program] }) => isReader(program))) return false;
  // A wildcard may match a link to an own file, and every file lies below the root.
  return paths.hasWildcard || line.reading.words.includes("/");
}

function isReader(program: string | null | undefined): boolean {
  return program != null && READERS.has(getBaseName(program));
}

const READERS: ReadonlySet<string> = new Set(
  "ls cat head tail wc grep rg find stat file du df tree pwd cd echo diff".split(" "),
);

function isOwnProgram(word: string): boolean {
  return getBaseName(word).replace(/\.(?:js|cmd|exe)$/, "") === "atlasbridge";
}

/** A program that may destroy also touches an own file from a directory above. */
function touches(facts: Facts, path: string, mayDestroy: boolean): boolean {
  return [normalizePath(path), facts.resolve(path)].some((each) =>
    facts.world.ownPaths.some(
      (mine) => isInside(each, mine) || (mayDestroy && each !== "/" && isInside(mine, each)),
    ),
  );
}

/** In a text whose words are no paths of their own, such as code. */
function mentionsOwnFiles({ input, subject, world, home }: Facts): boolean {
  let found = false;
  const look = (text: string): string => {
    found ||= world.ownPaths.some((path) => mentionsPath(text, path, home));
    return text;
  };
  mapStrings(input ?? null, look);
  look(subject.event.content.text);
  return found;
}
