/** The name and the password of a tool's own server: new for each run, told to it in its environment alone. */
import type { Random } from "../../../observe/random.js";
import type { Talk } from "../../adapter-format/compiled/compiled-headless.js";
import type { Login } from "../../loopback/loopback-client.js";

const USER = "atlasbridge";

export interface ServerLogin extends Login {
  /** What the tool's environment has to hold so that its server takes this login, and no other. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Null for tools that are no servers. */
export function newLogin(talk: Talk | null, random: Pick<Random, "nonce">): ServerLogin | null {
  if (talk?.speaks !== "session_server") return null;
  const password = random.nonce();
  return { user: USER, password, environment: { [talk.login.user]: USER, [talk.login.password]: password } };
}
