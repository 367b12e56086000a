/** Which hosts a call names: in arguments that are URLs, and in URLs inside other texts. Pure. */
import { isObject } from "../../../model/data/json.js";

export interface CallHosts {
  /** Hosts in arguments that name the destination; empty text for an unreadable one. */
  readonly fields: readonly string[];
  /** Hosts in every other argument that is a URL, or has the name of one; empty text as above. */
  readonly others: readonly string[];
  readonly all: readonly string[];
}

const CALLED = /^(?:url|urls|uri|uris|href|host|endpoint|address)$/i;
const NAMED_LIKE_URL = /(?:ur[il]s?|hrefs?|hosts?|endpoints?|address(?:es)?)$/i;

export function listHosts(input: unknown): CallHosts {
  const fields: string[] = [];
  const others: string[] = [];
  const inside: string[] = [];
  const visit = (value: unknown, name: string): void => {
    if (typeof value === "string") {
      const isOther = isUrl(value) || (NAMED_LIKE_URL.test(name) && value !== "");
      if (CALLED.test(name)) fields.push(readHost(value) ?? "");
      else if (isOther) others.push(readHost(value) ?? "");
      for (const url of listUrls(value)) inside.push(readHost(url) ?? "");
    } else if (Array.isArray(value)) value.forEach((item) => visit(item, name));
    else if (isObject(value)) Object.entries(value).forEach(([key, inner]) => visit(inner, key));
  };
  visit(input, "");
  return { fields, others, all: [...fields, ...others, ...inside].filter((host) => host !== "") };
}

/** As a whole: also without a host, or without a scheme (`//host`). Prose may begin with a word and a colon, too; `C:` is a drive. */
function isUrl(text: string): boolean {
  if (!/^\s*(?:\/\/|[a-z][a-z0-9+.-]+:)/i.test(text)) return false;
  try {
    return new URL(text, "https://host.invalid").host !== "" || !/\s/.test(text.trim());
  } catch {
    return false;
  }
}

const SCHEME_MAX = 21;

/** From each `://` back to the scheme: a long text without one costs a single search. */
function listUrls(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    const scheme = /[a-z][a-z0-9+.-]*$/i.exec(text.slice(Math.max(0, at - SCHEME_MAX), at))?.[0] ?? "";
    const rest = /^[^\s"'<>`]{1,2000}/.exec(text.slice(at + 3, at + 2_003))?.[0];
    if (scheme.length > 1 && rest !== undefined) found.push(`${scheme}://${rest}`);
  }
  return found;
}

function readHost(url: string): string | null {
  try {
    const { protocol, hostname, username, password } = new URL(url);
    const isPlain = /^https?:$/.test(protocol) && username === "" && password === "";
    return isPlain ? hostname.toLowerCase().replace(/\.$/, "") : null;
  } catch {
    return null;
  }
}
