/**
 * Finds where AtlasBridge can attach to the tool beside its terminal (ADR 24). Otherwise the tool is started as typed and its screen is
 * watched.
 */
import { systemRandom } from "../../../observe/random.js";
import type { SessionServerCoattach } from "../../../worker/adapter-format/compiled/compiled-coattach.js";
import { createServerLogin, hasUserServer } from "../../../worker/integrations/attachments.js";
import { readCommandLine } from "../../../worker/process/command-line.js";
import type { AttachTarget, ServedAttachTarget } from "../../../worker/runtimes/attachment/attachment.js";
import { supportsSideChannel, type SideChannelStart } from "./supports-side-channel.js";
import { expandPath } from "../../../worker/integrations/hooks/settings-files.js";

/** Never rejects; null if attaching is impossible. */
export async function findAttachTarget(start: SideChannelStart): Promise<AttachTarget | null> {
  const { coattach } = start.adapter;
  const parts = coattach ? readCommandLine(start.args, coattach.options) : [];
  if (!coattach || !(await supportsSideChannel(start, coattach, parts))) return null;
  if (coattach.speaks === "session_server") {
    // An argument may name a folder, whose settings the tool would then use.
    const isPlain = parts.every(({ kind }) => kind === "option");
    return isPlain ? findServedTarget(coattach, start) : null;
  }
  const [socket] = coattach.sockets.flatMap((place) => expandPath(place, start) ?? []);
  return socket === undefined ? null : { coattach, socket, start: null };
}

/**
 * Requires that the system reveals the owner of a port, because no other program may get the password; and that the user has not set up the
 * server, because its password is then known to others.
 */
function findServedTarget(
  coattach: SessionServerCoattach,
  { args, cwd, environment }: SideChannelStart,
): ServedAttachTarget | null {
  if (process.platform !== "linux" || hasUserServer({ cwd, environment })) return null;
  const { environment: variables, ...login } = createServerLogin(systemRandom);
  return { coattach, login, start: { args: [...coattach.args, ...args], environment: variables } };
}
