/** Where a channel's secrets go. Every start of a tool loads this: it needs no schema. */
import type { ForeignEndpoint } from "../channel.js";

/**
 * An address as clients need it, with a slash at its end: without one, the last part of its path is silently dropped, and a query would
 * end up before what a client appends. Null if it is not an http URL.
 */
export function normaliseAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  return `${url.origin}${url.pathname.replace(/\/{0,8}$/, "/")}`;
}

/** Null if the secrets go to `own`, the service itself, or nowhere. */
export function findForeignEndpoint(
  given: string,
  own: string,
  secrets: readonly string[],
): ForeignEndpoint | null {
  const address = normaliseAddress(given);
  return address === null || address === normaliseAddress(own) ? null : { address, secrets };
}
