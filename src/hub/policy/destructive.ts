/** Which commands destroy what cannot be brought back: no grant covers one, and a tap does not allow one. Pure. */
import { isObject } from "../../model/data/json.js";
import { mapStrings } from "../../model/data/map-strings.js";
import { allowsAll, readCommandLine, type CommandLine } from "./command/command-line.js";
import { mayDestroy, readsCommands } from "./command/destroying.js";
import { getBaseName, listInnerCommands } from "./command/inner-programs.js";
import { parsePrefix } from "./command/prefix.js";
import type { Facts } from "./facts.js";

/** In the words of clients of databases. */
const SQL =
  /\b(?:drop\s+(?:table|database|schema|view|index|user|role|column)|truncate\s+(?:table\s+)?\w|delete\s+from\s+[\w.]+\s*(?:[;'"]|$))/im;
const SQL_CLIENTS: ReadonlySet<string> = new Set(
  "psql mysql mariadb sqlite3 duckdb sqlcmd clickhouse-client".split(" "),
);

/** What the request destroys, for people; null if no such pattern is in it. */
export function findDestruction({ line, subject }: Facts): string | null {
  const { call, text } = subject.event.content;
  if (line !== null) return findDestructiveCommand(line);
  if (call !== undefined) return isDeletion(call) ? "it deletes files" : null;
  if (subject.event.safetyClass !== "permission") return null;
  for (const row of text.split("\n").slice(0, ROWS_MAX)) {
    const found = findDestructiveCommand(readCommandLine(row.replace(FRAME, "")));
    if (found !== null) return found;
  }
  return null;
}

/** A dialog's command is in its first rows. */
const ROWS_MAX = 40;
/** Text before a command on a screen: a frame, a mark of the shell. A variable is part of the command. */
const FRAME = /^(?:(?!\$[({\w])[^\w/.~])+/;

/** Words behind the beginning of a command with which programs destroy. */
const OPTIONS = (
  "--force -f -d -D -M -R -r -W --worktree --hard --delete --mirror --prune --recursive --remove-files --discard-changes -delete " +
  "+x :x -- of=x"
).split(" ");
const WORDS = [
  ..."delete drop clear remove expire prune uninstall down reset deinit flush flushall".split(" "),
  ...["x y", "'drop table x'", "-c 'drop table x'"],
];
const RUNS_TASKS = /\b(?:rake|rails|artisan)\b/;
/** After such a word comes the thing to read. */
const LOOKING =
  /^(?:get|list|ls|ps|logs?|show|view|status|describe|diff|plan|version|images|info|inspect|top|stats|search|build)$/;

/** Whether a rule that answers for the beginning of a command also answers for one that is known to destroy. */
export function coversDestruction(beginning: string): boolean {
  const prefix = parsePrefix(beginning);
  const isLooking = prefix.words[0] !== "git" && LOOKING.test(prefix.words.at(-1) ?? "");
  const tasks = RUNS_TASKS.test(beginning) ? ["db:drop"] : [];
  const options = isLooking ? OPTIONS.filter((option) => !option.includes("delete")) : OPTIONS;
  return ["", ...options, ...tasks, ...(isLooking ? [] : WORDS)].some((ending) => {
    const line = readCommandLine(`${beginning} ${ending}`);
    return allowsAll(line, [prefix]).truth === "yes" && findDestructiveCommand(line) !== null;
  });
}

function findDestructiveCommand({ text, reading }: CommandLine): string | null {
  if (reading.isEmptying) return say("emptying or overwriting a file");
  for (const { words, isCertain } of reading.commands) {
    const [program] = words;
    if (program == null) {
      if (isCertain) return say("a program that is only known when it runs");
      continue;
    }
    const inner = listInnerCommands(words).map((each) => each.words);
    const found = [words, ...inner].find((each) => mayDestroy(each) || (isSqlClient(each) && SQL.test(text)));
    if (found) return say(found.map((word) => word ?? "…").join(" "));
    if (isCertain && /[|<]/.test(text) && readsCommands(words))
      return say(`what ${getBaseName(program)} reads from its input`);
  }
  return null;
}

function isSqlClient([program]: readonly (string | null)[]): boolean {
  return program != null && SQL_CLIENTS.has(getBaseName(program));
}

function say(what: string): string {
  return `${what.slice(0, SHOWN_MAX)} may destroy what cannot be brought back`;
}

/** Cards hold 200 characters of a rule, and how to say yes stands behind it. */
const SHOWN_MAX = 40;

const DELETING_NAME = /(?:^|_|-|\.)(?:delete|remove|destroy|drop|purge|truncate|wipe|erase)(?:$|_|-|\.)/i;
const DELETING_PATCH = /^\*\*\* Delete File: /m;

function listTexts(input: unknown): string {
  const texts: string[] = [];
  mapStrings(input, (text) => {
    texts.push(text);
    return text;
  });
  return texts.join("\n");
}

/** Tools whose calls delete say so in their name, or in a patch. */
function isDeletion(call: Facts["subject"]["event"]["content"]["call"]): boolean {
  return (
    call !== undefined &&
    isObject(call.input) &&
    (DELETING_NAME.test(call.tool.replace(/(?<=[a-z])(?=[A-Z])/g, "_")) ||
      DELETING_PATCH.test(listTexts(call.input)))
  );
}
