/**
 * Whether the tool of a run can be joined beside its terminal (ADR 24), and where. Whatever stands in the way, it is started as it was
 * typed and watched as any other.
 */
import { systemRandom } from "../../../observe/random.js";
import type { SessionServerCoattach } from "../../../worker/adapter-format/compiled/compiled-coattach.js";
import { readCommandLine, type CommandLinePart } from "../../../worker/process/command-line.js";
import type { AttachTarget, ServedAttachTarget } from "../../../worker/runtimes/attachment/attachment.js";
import { supportsSideChannel, type Start } from "./supports-side-channel.js";
import {
  expandPath,
  settingsTexts,
  type SettingsFilePlace,
} from "../../../worker/integrations/hooks/settings-files.js";

/** Null: it cannot be joined. Never rejects. */
export async function findAttachTarget(start: Start): Promise<AttachTarget | null> {
  const { coattach } = start.adapter;
  const parts = coattach ? readCommandLine(start.args, coattach.options) : [];
  if (!coattach || !(await supportsSideChannel(start, coattach, parts))) return null;
  if (coattach.speaks === "session_server") return namesFolder(parts) ? null : toldPlace(coattach, start);
  const [socket] = coattach.sockets.flatMap((place) => expandPath(place, start) ?? []);
  return socket === undefined ? null : { coattach, socket, start: null };
}

/** It will work there, with the settings and the requests of that folder. */
function namesFolder(parts: readonly CommandLinePart[]): boolean {
  return parts.some(({ kind }) => kind !== "option");
}

const USER = "atlasbridge";

/**
 * Only where the system tells whose a port is: who else has it must not get the password. And only where its user has nothing of their
 * own: whoever has a password has told it to others.
 */
function toldPlace(
  coattach: SessionServerCoattach,
  { args, cwd, environment }: Start,
): ServedAttachTarget | null {
  const { user, password } = coattach.login;
  if (process.platform !== "linux" || environment[user] || environment[password]) return null;
  if (hasOwn(coattach.own, { cwd, environment })) return null;
  const login = { user: USER, password: systemRandom.nonce() };
  const variables = { [user]: login.user, [password]: login.password };
  return { coattach, login, start: { args: [...coattach.args, ...args], environment: variables } };
}

/** What cannot be read is taken for theirs. The key may stand anywhere: a file with comments in it is not taken apart. */
function hasOwn({ key, files, variables }: SessionServerCoattach["own"], place: SettingsFilePlace): boolean {
  const named = new RegExp(`"${key}"\\s{0,16}:`);
  const texts = variables.map((name) => place.environment[name] ?? "");
  return (
    texts.some((text) => named.test(text)) ||
    settingsTexts(files, place).some((text) => text === null || named.test(text))
  );
}
