/** Attaches to a tool beside its terminal, with the protocol that its adapter file names. */
import { getOwnUid } from "../../config/own-user.js";
import { CodexAttachment } from "./codex/attachment.js";
import type { AttachAccess, AttachTarget } from "../runtimes/attachment/attachment.js";
import { OpenCodeAttachment } from "./opencode/attachment.js";
export { createServerLogin, hasUserServer } from "./opencode/server-setup.js";

export function createAttachAccess(place: AttachTarget, version: string): AttachAccess {
  if ("login" in place) {
    const { login, coattach } = place;
    return { attach: (host) => new OpenCodeAttachment(host, { login, drawn: coattach.drawn }) };
  }
  const { socket, coattach } = place;
  const options = { socket, uid: getOwnUid(), version, drawn: coattach.drawn };
  return { attach: (host) => new CodexAttachment(host, options) };
}
