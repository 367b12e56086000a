/** Which arguments of a tool call hold paths, whatever the tool: by their names, and by how their values look. Pure. */
import { isObject } from "./json.js";

const PATH_NAME =
  /(?:^|_|-)(?:path|paths|file|files|filename|filenames|file_name|dir|directory|folder|root|cwd|workdir|target|destination|dest|source|location|glob|pattern|include|from|to)$|(?:Path|Paths|File|Files|Dir|Directory|Folder|Root|Filename|FileName|FileNames)$|^(?:filepath|filepaths|fileName|fileNames|notebook)$/;
/** Names of arguments that hold text to write or to read, not names of files. */
const TEXT_NAME =
  /^(?:content|contents|text|prompt|description|query|message|diff|patch|plan|old_string|new_string|old_str|new_str|oldText|newText|oldString|newString|file_text|insert_text|new_source|title|reason)$/;
const URL_NAME = /^(?:url|uri)$/;
const LOOKS_LIKE_PATH = /^(?:~|\/|\.\.?(?:\/|$)|file:|[A-Za-z]:\\)|\/\.\.(?:\/|$)/;

/** Lists the paths in the input of a call, as they are written there: also names of fields that are paths themselves. */
export function listPathArguments(input: unknown): string[] {
  const named: string[] = [];
  visit(input, "", {
    value: (name, value) => {
      if (typeof value === "string" && value !== "" && holdsPath(name, value)) named.push(value);
    },
    field: (name) => {
      if (LOOKS_LIKE_PATH.test(name)) named.push(name);
    },
  });
  return named;
}

export interface CallArgument {
  /** The name of the nearest field. */
  readonly name: string;
  readonly value: unknown;
}

/** Which files a search goes through: with a wildcard there, also those that it leaves out otherwise. */
const FILTER_NAME = /(?:^|_|-)(?:glob|globs|include|includes)$/;
const WILDCARD = /[*?[{!]/;

/** Lists the arguments that hold neither a path nor a text to write or to read. */
export function listOtherArguments(input: unknown): CallArgument[] {
  const found: CallArgument[] = [];
  visit(input, "", {
    value: (name, value) => {
      const isFilter = FILTER_NAME.test(name) && typeof value === "string" && WILDCARD.test(value);
      const isPath = typeof value === "string" && !isFilter && holdsPath(name, value);
      const isKnown = TEXT_NAME.test(name) || isPath;
      if (!isKnown && value !== null && value !== undefined && value !== "") found.push({ name, value });
    },
    field: () => undefined,
  });
  return found;
}

interface Visitor {
  readonly value: (name: string, value: unknown) => void;
  readonly field: (name: string) => void;
}

function visit(given: unknown, name: string, visitor: Visitor): void {
  if (Array.isArray(given)) {
    for (const item of given) visit(item, name, visitor);
  } else if (isObject(given)) {
    for (const [key, inner] of Object.entries(given)) {
      visitor.field(key);
      visit(inner, key, visitor);
    }
  } else visitor.value(name, given);
}

function holdsPath(name: string, value: string): boolean {
  if (URL_NAME.test(name)) return value.startsWith("file:");
  return PATH_NAME.test(name) || (!TEXT_NAME.test(name) && LOOKS_LIKE_PATH.test(value));
}
