import { delimiter, sep } from "node:path";

/** A stranger has none of these: npm, AtlasBridge and the developer's shell set them. */
const OWN = /^(?:ATB_|ATLASBRIDGE_|npm_|NODE_OPTIONS$)/;

/** Leaves out of the environment what belongs to the repository in `folder`: its settings, and its programs on the path. */
export function cleanEnvironment(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !OWN.test(name));
  const path = (env["PATH"] ?? "").split(delimiter);
  const outside = path.filter((entry) => !`${entry}${sep}`.startsWith(`${folder}${sep}`));
  return { ...Object.fromEntries(kept), PATH: outside.join(delimiter) };
}
