/** What is answered without asking anybody, because the person who started the session said so. Pure. */
import { posix } from "node:path";
import { AtlasBridgeError } from "../../../model/errors.js";
import { fitsWhole } from "../content-limit.js";
import type { PermissionMode } from "../../../model/permission-mode.js";
import type { PermissionOption, PermissionRequest } from "./permission.js";

/** Longer texts are not looked at: a pattern of the user's may be slow, and the text is the agent's. */
const SUBJECT_LENGTH_MAX = 1000;

export interface PermissionPolicy {
  readonly mode: PermissionMode;
  /** Of the mode `allowlist`. */
  readonly allowlist: readonly AllowRule[];
}

export interface AllowRule {
  /** As it stands in the configuration. */
  readonly pattern: string;
  readonly of: "kind" | "title" | "path";
  readonly fits: (text: string) => boolean;
}

/** `rule`: the pattern that allowed it, or the mode. */
export type Automatic =
  | { readonly kind: "allow"; readonly option: PermissionOption; readonly rule: string }
  | { readonly kind: "deny"; readonly rule: string };

/** Null: somebody is asked. What cannot be told apart, or is more than one permission, is never allowed here. */
export function automaticAnswer(
  { mode, allowlist }: PermissionPolicy,
  request: PermissionRequest,
): Automatic | null {
  if (mode === "ask") return null;
  if (mode === "deny_all") return { kind: "deny", rule: mode };
  const rule = mode === "auto_approve" ? mode : allowlist.find((each) => allows(each, request))?.pattern;
  const option = onlyYes(request);
  return rule === undefined || option === null ? null : { kind: "allow", option, rule };
}

/** The one option that allows this and nothing else. A plan's approval, and a question in a permission's clothes, have none such. */
function onlyYes({ options, call, text }: PermissionRequest): PermissionOption | null {
  const [yes, ...others] = options.filter(({ intent }) => intent === "allow_once");
  const isOfATool = call !== null && call.kind !== "switch_mode";
  return isOfATool && others.length === 0 && fitsWhole(text) ? (yes ?? null) : null;
}

function allows({ of, fits }: AllowRule, { call, title }: PermissionRequest): boolean {
  if (!call) return false;
  if (of === "title") return isShort(title) && fits(title);
  if (of === "kind") return call.kind !== null && fits(call.kind);
  const paths = call.locations.map((place) => posix.normalize(place.replace(/:[0-9]{1,9}$/, "")));
  // Every place, for the permission is for all of them.
  return paths.length > 0 && paths.every((path) => isShort(path) && fits(path));
}

function isShort(text: string): boolean {
  return text.length <= SUBJECT_LENGTH_MAX;
}

/**
 * `kind:read`, `title:git status`, `path:/srv/api/**`: exact, or with `*`, `**` and `?`. With `~` in the colon's place it is a regular
 * expression: `title~^npm (test|run lint)$`. Errors: ATB_CONFIG_INVALID.
 */
export function allowRule(pattern: string): AllowRule {
  const [, of, how, wanted = ""] = /^(kind|title|path)([:~])(.{1,500})$/su.exec(pattern) ?? [];
  if (!isSubject(of)) throw invalid(pattern, "it begins with kind:, title: or path:");
  const expression = how === "~" ? regularExpression(pattern, wanted) : globExpression(wanted, of);
  return { pattern, of, fits: (text) => expression.test(text) };
}

function isSubject(of: string | undefined): of is AllowRule["of"] {
  return of === "kind" || of === "title" || of === "path";
}

function regularExpression(pattern: string, source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch (cause) {
    throw invalid(pattern, cause instanceof Error ? cause.message : "it is no regular expression");
  }
}

/** None of them crosses a line; in a path `*` and `?` stay within a name. */
function globExpression(glob: string, of: AllowRule["of"]): RegExp {
  const one = of === "path" ? "[^/\\n]" : "[^\\n]";
  const wild: Readonly<Record<string, string>> = { "**": "[^\\n]*", "*": `${one}*`, "?": one };
  const source = glob.replace(/\*\*|[*?\\^$.|+()[\]{}/]/gu, (piece) => wild[piece] ?? `\\${piece}`);
  return new RegExp(`^${source}$`, "u");
}

function invalid(pattern: string, problem: string): AtlasBridgeError {
  const message = `permission_allowlist: ${JSON.stringify(pattern)}: ${problem}`;
  return new AtlasBridgeError("ATB_CONFIG_INVALID", message, {
    hint: "For example kind:read, title:git status, path:/srv/api/**",
  });
}
