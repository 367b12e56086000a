/** Decides by the session's permission mode whether a request is answered without asking. Pure. */
import { AtlasBridgeError } from "../../../../model/errors.js";
import { fitsUncut } from "../../../detection/prompt-content.js";
import type { PermissionMode } from "../../../../model/permission-mode.js";
import { compileGlob } from "./glob.js";
import type { PermissionOption, PermissionRequest } from "./permission.js";

/** The agent chooses the text, and the user's regular expression may be slow. */
const SUBJECT_LENGTH_MAX = 1000;

export interface PermissionPolicy {
  readonly mode: PermissionMode;
  readonly allowlist: readonly AllowRule[];
}

export interface AllowRule {
  readonly pattern: string;
  readonly subject: "kind" | "title" | "path";
  readonly matches: (text: string) => boolean;
}

export type Automatic =
  | { readonly kind: "allow"; readonly option: PermissionOption; readonly rule: string }
  | { readonly kind: "deny"; readonly rule: string };

/** Null: people are asked. `places`: absolute paths of all that the call touches; null: unknown. */
export function decideAutomatically(
  { mode, allowlist }: PermissionPolicy,
  request: PermissionRequest,
  places: readonly string[] | null,
): Automatic | null {
  if (mode === "ask") return null;
  if (mode === "deny_all") return { kind: "deny", rule: mode };
  const rule =
    mode === "auto_approve" ? mode : allowlist.find((each) => allows(each, request, places))?.pattern;
  const option = findOnlyYes(request);
  return rule === undefined || option === null ? null : { kind: "allow", option, rule };
}

/** The only option that allows this one call. Plans and requests with several such options have none. */
function findOnlyYes({ options, call, title, text, isPlan }: PermissionRequest): PermissionOption | null {
  const [yes, ...others] = options.filter(({ intent }) => intent === "allow_once");
  const isOfATool = call !== null && !isPlan;
  return isOfATool && others.length === 0 && fitsUncut(title, text) ? (yes ?? null) : null;
}

function allows(
  { subject, matches }: AllowRule,
  { call, title }: PermissionRequest,
  places: readonly string[] | null,
): boolean {
  if (!call) return false;
  if (subject === "title") return isShort(title) && matches(title);
  if (subject === "kind") return call.kind !== null && matches(call.kind);
  // The permission covers all paths, so the rule must fit each.
  return places !== null && places.length > 0 && places.every((path) => isShort(path) && matches(path));
}

function isShort(text: string): boolean {
  return text.length <= SUBJECT_LENGTH_MAX;
}

/** `kind:read`, `title:git status`, `path:/srv/api/**`; with `~` instead of the colon a regular expression. Errors: ATB_CONFIG_INVALID. */
export function parseAllowRule(pattern: string): AllowRule {
  const [, subject, how, wanted = ""] = /^(kind|title|path)([:~])(.{1,500})$/su.exec(pattern) ?? [];
  if (!isSubject(subject)) throw createInvalidRule(pattern, "it begins with kind:, title: or path:");
  if (how === ":")
    return { pattern, subject, matches: compileGlob(wanted, subject === "path" ? "path" : "text") };
  const expression = parseRegularExpression(pattern, wanted);
  return { pattern, subject, matches: (text) => expression.test(text) };
}

function isSubject(of: string | undefined): of is AllowRule["subject"] {
  return of === "kind" || of === "title" || of === "path";
}

function parseRegularExpression(pattern: string, source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch (cause) {
    throw createInvalidRule(pattern, cause instanceof Error ? cause.message : "it is no regular expression");
  }
}

function createInvalidRule(pattern: string, problem: string): AtlasBridgeError {
  const message = `permission_allowlist: ${JSON.stringify(pattern)}: ${problem}`;
  return new AtlasBridgeError("ATB_CONFIG_INVALID", message, {
    hint: "For example kind:read, title:git status, path:/srv/api/**",
  });
}
