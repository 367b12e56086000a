/** Edits of the people in the configuration file, node by node: comments and order are preserved. Pure. */
import { isMap, isSeq, type YAMLMap, type YAMLSeq } from "yaml";
import { LAYOUT, openDocument, removeValues } from "./edit.js";
import type { Person } from "./schema.js";

/** Also takes out `chats` (`telegram:1002`), which only that person reads. Null if nobody has the name. */
export function removePerson(text: string, name: string, chats: readonly string[] = []): string | null {
  const document = openDocument(text);
  const people = findPeople(document);
  const index = findIndex(people, name);
  if (index < 0) return null;
  people?.delete(index);
  for (const chat of chats) {
    const at = chat.indexOf(":");
    removeValues(document.getIn(["channels", chat.slice(0, at), "deliver_to"], true), [chat.slice(at + 1)]);
  }
  const routes: unknown = document.get("routes", true);
  for (const route of isSeq(routes) ? routes.items.filter(isMap) : []) {
    removeFromRoute(route.get("deliver_to", true), chats);
    removeFromRoute(route.get("approvers", true), [name]);
  }
  return document.toString(LAYOUT);
}

/** A list that would be empty stays: without it the route would send everything everywhere. */
function removeFromRoute(list: unknown, values: readonly string[]): void {
  const isLeft = isSeq(list) && list.toJSON().some((item) => !values.includes(String(item)));
  if (isLeft) removeValues(list, values);
}

/** Null if nobody has the name. */
export function setRole(text: string, name: string, role: Person["role"]): string | null {
  const document = openDocument(text);
  const person = findPerson(findPeople(document), name);
  person?.set("role", role);
  return person && document.toString(LAYOUT);
}

/** The file's text with all accounts of `from` moved to `into`, whose role stays; null if one of them is missing. */
export function mergePeople(text: string, from: string, into: string): string | null {
  const document = openDocument(text);
  const people = findPeople(document);
  const [source, target] = [findPerson(people, from), findPerson(people, into)];
  const [given, kept] = [source?.get("identities"), target?.get("identities")];
  if (from === into || !isSeq(given) || !isSeq(kept)) return null;
  for (const item of given.items) kept.add(item);
  people?.delete(findIndex(people, from));
  return document.toString(LAYOUT);
}

export interface WithoutChannel {
  readonly text: string;
  /** Names of those who had no other account. */
  readonly people: readonly string[];
}

/**
 * The file's text without the channel, its people's accounts there, and people without another account. Empty sections stay: they
 * may have a comment.
 */
export function removeChannelFrom(text: string, channel: string): WithoutChannel {
  const document = openDocument(text);
  document.deleteIn(["channels", channel]);
  const people = findPeople(document);
  const gone: string[] = [];
  for (const person of people?.items.filter(isMap) ?? []) {
    const identities: unknown = person.get("identities");
    if (!isSeq(identities) || !removeAccounts(identities, channel) || identities.items.length > 0) continue;
    gone.push(String(person.get("name")));
  }
  for (const name of gone) people?.delete(findIndex(people, name));
  return { text: document.toString(LAYOUT), people: gone };
}

function removeAccounts(identities: YAMLSeq, channel: string): boolean {
  const values = identities.toJSON() as readonly unknown[];
  const ours = values.flatMap((value, at) => (String(value).startsWith(`${channel}:`) ? [at] : []));
  for (const at of ours.reverse()) identities.delete(at);
  return ours.length > 0;
}

function findPeople(document: ReturnType<typeof openDocument>): YAMLSeq | null {
  const people: unknown = document.get("people", true);
  return isSeq(people) ? people : null;
}

function findIndex(people: YAMLSeq | null, name: string): number {
  return people?.items.findIndex((item) => isMap(item) && item.get("name") === name) ?? -1;
}

function findPerson(people: YAMLSeq | null, name: string): YAMLMap | null {
  const item: unknown = people?.items[findIndex(people, name)];
  return isMap(item) ? item : null;
}
