/**
 * Edits the configuration file node by node: comments, order and `${ENV}` are preserved; the new file replaces the old one
 * atomically.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isMap, isScalar, isSeq, parseDocument, type Document, type YAMLMap, type YAMLSeq } from "yaml";
import { isObject } from "../model/data/json.js";
import type { Person } from "./schema.js";
import { requireYaml } from "./yaml-file.js";
import { PRIVATE_FILE_MODE } from "./private-files.js";
import { isDeepStrictEqual } from "node:util";

export interface PairingEdit {
  readonly channel: string;
  /** Null: only the person is added. */
  readonly place: string | number | null;
  readonly person: NewPerson;
  /** Chats of the channel that get nothing any more. */
  readonly instead?: readonly string[];
}

export interface NewPerson {
  readonly name: string;
  readonly identity: string;
  readonly role: Person["role"];
}

export function readChannelSettings(text: string, channel: string): Readonly<Record<string, unknown>> {
  const node: unknown = openDocument(text).getIn(["channels", channel], true);
  return isMap(node) ? (node.toJSON() as Record<string, unknown>) : {};
}

export function setChannelSettings(
  text: string,
  channel: string,
  settings: Readonly<Record<string, string>>,
): string {
  const document = openDocument(text);
  const map = ensureMap(document, ["channels", channel]);
  for (const [key, value] of Object.entries(settings)) if (map.get(key) !== value) map.set(key, value);
  return document.toString(LAYOUT);
}

export function addPairing(text: string, pairing: PairingEdit): string {
  const document = openDocument(text);
  if (pairing.place !== null) {
    const places = ensureSequence(document, ["channels", pairing.channel, "deliver_to"]);
    removeValues(places, pairing.instead ?? []);
    addOnce(document, places, pairing.place);
  }
  addPerson(document, pairing.person);
  return document.toString(LAYOUT);
}

export function removeValues(list: unknown, values: readonly string[]): void {
  if (!isSeq(list)) return;
  list.items = list.items.filter((item) => !values.includes(String(isScalar(item) ? item.value : item)));
}

export function setPromptSetting(text: string, key: string, value: string): string {
  const document = openDocument(text);
  ensureMap(document, ["prompts"]).set(key, value);
  return document.toString(LAYOUT);
}

/** Long lines of the user are never folded. */
export const LAYOUT = { lineWidth: 0 } as const;

export function openDocument(text: string): Document {
  const document: Document = parseDocument(text);
  if (!isMap(document.contents)) document.contents = document.createNode({});
  return document;
}

/** Whoever is listed keeps name and role. A person of the same name is another one if the role or an account of this channel differs. */
function addPerson(document: Document, { name, identity, role }: NewPerson): void {
  const people = ensureSequence(document, ["people"]);
  const listed = (people.toJSON() as readonly Partial<Person>[]).map(({ identities = [] }) => identities);
  if (listed.some((identities) => identities.includes(identity))) return;
  const index = people.items.findIndex((item) => isMap(item) && item.get("name") === name);
  const known = people.items[index];
  const identities: unknown = isMap(known) && known.get("role") === role ? known.get("identities") : null;
  const channel = identity.slice(0, identity.indexOf(":") + 1);
  const isSame = isSeq(identities) && !listed[index]?.some((each) => each.startsWith(channel));
  const entry = index < 0 ? name : `${name} (${identity})`;
  if (isSame) addOnce(document, identities, identity);
  else people.add(document.createNode({ name: entry, identities: [identity], role }));
}

function addOnce(document: Document, seq: YAMLSeq, value: string | number): void {
  if (!seq.toJSON().includes(value)) seq.add(document.createNode(value));
}

function ensureMap(document: Document, path: readonly string[]): YAMLMap {
  const node: unknown = document.getIn(path, true);
  if (isMap(node)) return node;
  document.setIn(path, document.createNode({}));
  return document.getIn(path, true) as YAMLMap;
}

function ensureSequence(document: Document, path: readonly string[]): YAMLSeq {
  const node: unknown = document.getIn(path, true);
  if (isSeq(node)) return node;
  document.setIn(path, document.createNode([]));
  return document.getIn(path, true) as YAMLSeq;
}

export function writeConfigFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, text, { mode: PRIVATE_FILE_MODE });
  renameSync(next, file);
}

/** Empty without a file. Errors: ATB_CONFIG_INVALID for text that is no YAML. */
export function readConfigText(file: string): string {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  requireYaml(text, file, "ATB_CONFIG_INVALID");
  return text;
}

/** Names are at most as deep as `channels.telegram.api_root`; below are lists or secrets. */
const DEPTH_MAX = 3;

/** Dotted names without values, which may be secrets. */
export function listChangedKeys(before: unknown, after: unknown, depth = DEPTH_MAX): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (depth === 0 || !isObject(before) || !isObject(after)) return [""];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) =>
    listChangedKeys(before[name], after[name], depth - 1).map((below) =>
      below === "" ? name : `${name}.${below}`,
    ),
  );
}
