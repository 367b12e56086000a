/** The login of a tool's own HTTP server: made for one run, and handed to the tool in its environment only. */
import type { Random } from "../../../observe/random.js";
import type { Login } from "../../loopback/loopback-client.js";

const USER = "atlasbridge";

/** The variables from which opencode's server takes the one login that it accepts. */
export const USER_VARIABLE = "OPENCODE_SERVER_USERNAME";
export const PASSWORD_VARIABLE = "OPENCODE_SERVER_PASSWORD";

export interface ServerLogin extends Login {
  /** What the tool's environment must hold so that its server accepts this login, and no other. */
  readonly environment: Readonly<Record<string, string>>;
}

export function createServerLogin(random: Pick<Random, "nonce">): ServerLogin {
  const password = random.nonce();
  return { user: USER, password, environment: { [USER_VARIABLE]: USER, [PASSWORD_VARIABLE]: password } };
}
