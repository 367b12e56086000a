/** The hub's environment: without what makes a program load other people's code or trust any server, and without the mark. */
import { SESSION_MARK } from "../../model/session-mark.js";

/** Of Node, of the dynamic linkers of Linux and macOS, of what OpenSSL and the C library load by name, and what turns certificates off. */
const STEERING =
  /^(?:NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|NODE_TLS_REJECT_UNAUTHORIZED|LD_.{1,64}|DYLD_.{1,64}|OPENSSL_(?:CONF|MODULES|ENGINES)|GCONV_PATH)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** The name of such a variable; null where there is none. */
export function steeringVariable(environment: Environment): string | null {
  return Object.keys(environment).find((name) => STEERING.test(name) && environment[name]) ?? null;
}

export function withoutSteering(environment: Environment): Environment {
  const kept = Object.entries(environment).filter(([name]) => !STEERING.test(name) && name !== SESSION_MARK);
  return Object.fromEntries(kept);
}
