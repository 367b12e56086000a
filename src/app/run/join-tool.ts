/** Joins the tool of a run, by what it speaks. A small part, so it is loaded with all that watches the tool: after its start. */
import { ownUid } from "../../config/own-user.js";
import { AppServerJoin } from "../../worker/integrations/codex/attachment.js";
import type { JoinAccess } from "../../worker/runtimes/attachment/attachment.js";
import { SessionServerJoin } from "../../worker/integrations/opencode/attachment.js";
import type { JoinPlace } from "./prepare-join.js";
import { programVersion } from "../version.js";

export function joinAccess(place: JoinPlace): JoinAccess {
  if ("login" in place) {
    const { login, coattach } = place;
    return { join: (host) => new SessionServerJoin(host, { login, drawn: coattach }) };
  }
  const { socket, coattach } = place;
  const options = { socket, uid: ownUid(), version: programVersion(), drawn: coattach.drawn };
  return { join: (host) => new AppServerJoin(host, options) };
}
