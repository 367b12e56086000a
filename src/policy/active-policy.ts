/** The hub's policy: read from `policy.yaml`, and replaced as a whole by a reload. */
import type { Config } from "../config/schema.js";
import type { Paths } from "../config/paths.js";
import { NO_POLICY, type ActivePolicy } from "../hub/policy/verdict.js";
import { createPolicyWorld } from "./policy-world.js";
import { readFileSync, statSync } from "node:fs";
import { createFileError } from "../config/file-errors.js";
import { AtlasBridgeError } from "../model/errors.js";

export interface LoadedPolicy {
  readonly text: string | null;
  readonly policy: ActivePolicy;
}

/** The engine of the rules is loaded only where there is a file. Errors: ATB_CONFIG_INVALID with line and column; ATB_FILE_DENIED. */
export async function loadPolicy(paths: Paths, { people }: Pick<Config, "people">): Promise<LoadedPolicy> {
  const text = readPolicyText(paths.policy);
  const world = createPolicyWorld(paths);
  const { readExactRequest } = await import("../hub/policy/exact-request.js");
  const readExact: ActivePolicy["readExact"] = (event, session, now) =>
    readExactRequest({ event, session, now }, world);
  const { findDestruction: find } = await import("../hub/policy/destructive.js");
  const { Facts } = await import("../hub/policy/facts.js");
  const findDestruction: ActivePolicy["findDestruction"] = (event, session, now) =>
    find(new Facts({ event, session, now }, world));
  if (text === null) return { text, policy: { ...NO_POLICY, readExact, findDestruction } };
  const { decide } = await import("../hub/policy/decide.js");
  const { parsePolicy } = await import("../hub/policy/load-policy.js");
  const names = people.map(({ name }) => name);
  const compiled = parsePolicy(text, paths.policy, names);
  const { mode, countdownMs } = compiled;
  const policy: ActivePolicy = {
    mode,
    countdownMs,
    readExact,
    findDestruction,
    decide: (event, session, now, uses) => decide(compiled, { event, session, now }, world, uses),
  };
  return { text, policy };
}

/** Null if there is no such file. Errors: ATB_CONFIG_INVALID if it is no file; ATB_FILE_DENIED. */
export function readPolicyText(file: string): string | null {
  try {
    if (!statSync(file).isFile())
      throw new AtlasBridgeError("ATB_CONFIG_INVALID", `${file}: is not a regular file`);
    return readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw createFileError(cause, file, "cannot be read");
  }
}
