/** The names that a shell offers while a command line is completed. */
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { listAdapterNames } from "../plugins/adapters/adapters.js";
import { listPrompts, listSessions } from "./ask-hub.js";
import { fetchGrants } from "./grants.js";
import { listPeople } from "./people.js";
import { listTools } from "./setup/asking-tools.js";

const LISTS = {
  tools: async () => (await listTools(resolvePaths())).map(({ name }) => name),
  adapters: () => listAdapterNames(resolvePaths()),
  sessions: async () =>
    (await listSessions(false)).map(({ label, sessionId }) => label ?? sessionId.slice(0, ID_SHOWN)),
  prompts: async () => (await listPrompts(false)).map(({ shortId }) => shortId),
  people: () => listPeople().map(({ name }) => name),
  grants: async () => (await fetchGrants()).map(({ id }) => id),
};
/** As `sessions` shows the id. */
const ID_SHOWN = 8;

export type NameKind = keyof typeof LISTS;

/** Nobody who completes a line wants to see an error: without a hub, or with a broken configuration, there are no names. */
export async function listCompletionNames(kind: NameKind): Promise<readonly string[]> {
  try {
    return await LISTS[kind]();
  } catch (error) {
    if (error instanceof AtlasBridgeError) return [];
    throw error;
  }
}
