/**
 * Whether the tool of a run can be joined beside its terminal (ADR 24), and where. Whatever stands in the way, it is started as it was
 * typed and watched as any other.
 */
import { systemRandom } from "../../../observe/random.js";
import type { SessionServerCoattach } from "../../../worker/adapter-format/compiled/compiled-coattach.js";
import { createServerLogin, hasUserServer } from "../../../worker/integrations/attachments.js";
import { readCommandLine, type CommandLinePart } from "../../../worker/process/command-line.js";
import type { AttachTarget, ServedAttachTarget } from "../../../worker/runtimes/attachment/attachment.js";
import { supportsSideChannel, type Start } from "./supports-side-channel.js";
import { expandPath } from "../../../worker/integrations/hooks/settings-files.js";

/** Null: it cannot be joined. Never rejects. */
export async function findAttachTarget(start: Start): Promise<AttachTarget | null> {
  const { coattach } = start.adapter;
  const parts = coattach ? readCommandLine(start.args, coattach.options) : [];
  if (!coattach || !(await supportsSideChannel(start, coattach, parts))) return null;
  if (coattach.speaks === "session_server") return namesFolder(parts) ? null : servedTarget(coattach, start);
  const [socket] = coattach.sockets.flatMap((place) => expandPath(place, start) ?? []);
  return socket === undefined ? null : { coattach, socket, start: null };
}

/** It will work there, with the settings and the requests of that folder. */
function namesFolder(parts: readonly CommandLinePart[]): boolean {
  return parts.some(({ kind }) => kind !== "option");
}

/**
 * Only where the system tells which process has a port: any other program there must not get the password. And only where the user has
 * not set up the server: whoever chose its password has given it to others.
 */
function servedTarget(
  coattach: SessionServerCoattach,
  { args, cwd, environment }: Start,
): ServedAttachTarget | null {
  if (process.platform !== "linux" || hasUserServer({ cwd, environment })) return null;
  const { environment: variables, ...login } = createServerLogin(systemRandom);
  return { coattach, login, start: { args: [...coattach.args, ...args], environment: variables } };
}
