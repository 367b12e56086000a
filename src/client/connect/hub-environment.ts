/** The hub's environment, without variables that load foreign code or disable certificate checks, and without the session mark. */
import { SESSION_MARK } from "../../model/session-mark.js";

/**
 * Variables of Node, of the dynamic linkers of Linux and macOS, of OpenSSL and the C library that load code, and those that
 * disable certificate checks.
 */
const UNSAFE_VARIABLES =
  /^(?:NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|NODE_TLS_REJECT_UNAUTHORIZED|LD_.{1,64}|DYLD_.{1,64}|OPENSSL_(?:CONF|MODULES|ENGINES)|GCONV_PATH)$/;

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The name of such a variable; null if there is none. */
export function findUnsafeVariable(environment: EnvironmentVariables): string | null {
  return Object.keys(environment).find((name) => UNSAFE_VARIABLES.test(name) && environment[name]) ?? null;
}

export function removeUnsafeVariables(environment: EnvironmentVariables): EnvironmentVariables {
  const kept = Object.entries(environment).filter(
    ([name]) => !UNSAFE_VARIABLES.test(name) && name !== SESSION_MARK,
  );
  return Object.fromEntries(kept);
}
