/** Which hosts a call names: in arguments that are URLs, and in URLs inside other texts. Pure. */
import { isObject } from "../../../model/data/json.js";

export interface CallHosts {
  /** Of arguments that are URLs; empty text for one that cannot be read. */
  readonly fields: readonly string[];
  /** Also of URLs inside other texts. */
  readonly all: readonly string[];
}

export function listHosts(input: unknown): CallHosts {
  const found: string[] = [];
  const others: string[] = [];
  const visit = (value: unknown, name: string): void => {
    if (typeof value === "string") {
      const isUrl = /^(?:url|urls|uri|uris|href|host|endpoint|address)$/i.test(name);
      if (isUrl) found.push(readHost(value) ?? "");
      for (const url of listUrls(value)) others.push(readHost(url) ?? "");
    } else if (Array.isArray(value)) value.forEach((item) => visit(item, name));
    else if (isObject(value)) Object.entries(value).forEach(([key, inner]) => visit(inner, key));
  };
  visit(input, "");
  return { fields: found, all: [...found, ...others].filter((host) => host !== "") };
}

/** No scheme is longer. */
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
