import { addPairing, readConfigText, type NewPerson } from "../config/edit.js";
import { mergePeople, removePerson, setRole } from "../config/edit-people.js";
import { parseConfig } from "../config/load.js";
import { resolvePaths } from "../config/paths.js";
import type { Config, Person } from "../config/schema.js";
import { findNearest } from "../model/data/nearest.js";
import { AtlasBridgeError } from "../model/errors.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";
import { isIdentity } from "../model/ids.js";
import { applyConfig } from "./apply-config.js";
import { readConfig } from "./channels/list-channels.js";
import { findPrivateChats } from "./channels/load-pairing.js";

/** Errors: ATB_CONFIG_INVALID. */
export function listPeople(): readonly Person[] {
  return readConfig(resolvePaths()).people;
}

export interface RemovedPerson extends Person {
  /** Where nothing is sent any more, written `telegram:1002`. */
  readonly chats: readonly string[];
}

/**
 * Also takes out the chats that only this person reads. Errors: ATB_USAGE if there is none of that name, or nobody else may answer; those
 * of `applyConfig`.
 */
export async function removeFromPeople(name: string): Promise<RemovedPerson> {
  const person = requirePerson(name);
  const chats = await findPrivateChats(readConfig(resolvePaths()).channels, person.identities);
  await apply(name, (text) => removePerson(text, name, chats));
  return { ...person, chats };
}

/** The first configured channel, or the one that most people begin with. */
export function findPairedChannel(): string {
  return Object.keys(readConfig(resolvePaths()).channels)[0] ?? "telegram";
}

/** Errors: ATB_USAGE if the account is listed already; those of `applyConfig`. */
export async function addToPeople({ name, identity, role }: NewPerson): Promise<Person> {
  const paths = resolvePaths();
  const { channels, people } = readConfig(paths);
  const listed = people.find((person) => person.identities.includes(identity));
  if (listed)
    throw new AtlasBridgeError(
      "ATB_USAGE",
      `${identity} is listed in ${paths.config} already: "${listed.name}"`,
      {
        hint: "`atlasbridge people role` changes a role.",
      },
    );
  const known = Object.keys(channels);
  const channel = identity.split(":")[0] ?? "";
  if (!isIdentity(identity) || !known.includes(channel))
    throw new AtlasBridgeError("ATB_USAGE", `"${identity}" is no account of a configured channel`, {
      hint: `Write it as CHANNEL:ID, such as telegram:1001. Configured: ${known.join(", ") || "none"}.`,
    });
  await apply(name, (text) => addPairing(text, { channel, place: null, person: { name, identity, role } }));
  const added = listPeople().find(({ identities }) => identities.includes(identity));
  return added ?? { name, identities: [identity], role };
}

/** Errors: as `removeFromPeople`. */
export async function changeRole(name: string, role: Person["role"]): Promise<Person> {
  requirePerson(name);
  await apply(name, (text) => setRole(text, name, role));
  return requirePerson(name);
}

/** `into` gets the accounts of `from` and keeps its role. Returns the result. Errors: as `removeFromPeople`. */
export async function mergeInto(from: string, into: string): Promise<Person> {
  requirePerson(from);
  requirePerson(into);
  if (from === into) throw new AtlasBridgeError("ATB_USAGE", `"${from}" cannot be merged with itself`);
  await apply(from, (text) => mergePeople(text, from, into));
  return requirePerson(into);
}

async function apply(name: string, edit: (text: string) => string | null): Promise<void> {
  const paths = resolvePaths();
  const before = readConfigText(paths.config);
  const after = edit(before) ?? before;
  const channel = findLostChannel(before, after, paths.config);
  if (channel !== null) throw createLastApproverError(name, channel);
  await applyConfig(paths, after);
}

/** A channel that the edit leaves without an approver. */
function findLostChannel(before: string, after: string, file: string): string | null {
  const [already, left] = [before, after].map((text) =>
    findUnanswered(parseConfig(text, file, channelSchemas)),
  );
  return left?.find((id) => already?.includes(id) !== true) ?? null;
}

function createLastApproverError(name: string, channel: string): AtlasBridgeError {
  const message = `without "${name}" nobody may answer over ${channel}; nothing was changed`;
  return new AtlasBridgeError("ATB_USAGE", message, {
    hint: `Pair somebody else first (\`atlasbridge setup ${channel} --pair\`), or take the channel away: \`atlasbridge channel remove ${channel}\`.`,
  });
}

/** Channels over which no approver has an account. */
function findUnanswered({ channels, people }: Config): string[] {
  return Object.keys(channels).filter((channel) => {
    const approvers = people.filter(({ role }) => role === "approver");
    return !approvers.some(({ identities }) => identities.some((each) => each.startsWith(`${channel}:`)));
  });
}

function requirePerson(name: string): Person {
  const people = listPeople();
  const found = people.find((person) => person.name === name);
  if (found) return found;
  const names = people.map((person) => person.name);
  const meant = findNearest(name, names);
  throw new AtlasBridgeError("ATB_USAGE", `nobody is called "${name}" in ${resolvePaths().config}`, {
    hint: meant
      ? `Did you mean "${meant}"?`
      : names.length === 0
        ? "Nobody is listed."
        : `Listed: ${names.join(", ")}.`,
  });
}
