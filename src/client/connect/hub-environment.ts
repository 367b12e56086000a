import { SESSION_MARK } from "../../model/session-mark.js";

/** Variables that load code (Node, dynamic linkers, OpenSSL, C library) or disable certificate checks. */
const UNSAFE_VARIABLES =
  /^(?:NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|NODE_TLS_REJECT_UNAUTHORIZED|LD_.{1,64}|DYLD_.{1,64}|OPENSSL_(?:CONF|MODULES|ENGINES)|GCONV_PATH)$/;

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export function findUnsafeVariable(environment: EnvironmentVariables): string | null {
  return Object.keys(environment).find((name) => UNSAFE_VARIABLES.test(name) && environment[name]) ?? null;
}

export function removeUnsafeVariables(environment: EnvironmentVariables): EnvironmentVariables {
  const kept = Object.entries(environment).filter(
    ([name]) => !UNSAFE_VARIABLES.test(name) && name !== SESSION_MARK,
  );
  return Object.fromEntries(kept);
}
