import { readConfigText } from "../config/edit.js";
import { mergePeople, removePerson } from "../config/edit-people.js";
import { parseConfig } from "../config/load.js";
import { resolvePaths } from "../config/paths.js";
import type { Config, Person } from "../config/schema.js";
import { findNearest } from "../model/data/nearest.js";
import { AtlasBridgeError } from "../model/errors.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";
import { applyConfig } from "./apply-config.js";

/** Errors: ATB_CONFIG_INVALID. */
export function listPeople(): readonly Person[] {
  const { config } = resolvePaths();
  return parseConfig(readConfigText(config), config, channelSchemas).people;
}

/** Returns the removed person. Errors: ATB_USAGE if there is none of that name, or nobody else may answer; those of `applyConfig`. */
export async function removeFromPeople(name: string): Promise<Person> {
  const person = requirePerson(name);
  await apply(name, (text) => removePerson(text, name));
  return person;
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
