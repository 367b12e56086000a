/** Joins the tool of a run, by what it speaks. A small part, so it is loaded with all that watches the tool: after its start. */
import { ownUid } from "../../config/own-user.js";
import { CodexAttachment } from "../../worker/integrations/codex/attachment.js";
import type { AttachAccess } from "../../worker/runtimes/attachment/attachment.js";
import { OpenCodeAttachment } from "../../worker/integrations/opencode/attachment.js";
import type { AttachTarget } from "./prepare-join.js";
import { programVersion } from "../version.js";

export function joinAccess(place: AttachTarget): AttachAccess {
  if ("login" in place) {
    const { login, coattach } = place;
    return { join: (host) => new OpenCodeAttachment(host, { login, drawn: coattach }) };
  }
  const { socket, coattach } = place;
  const options = { socket, uid: ownUid(), version: programVersion(), drawn: coattach.drawn };
  return { join: (host) => new CodexAttachment(host, options) };
}
