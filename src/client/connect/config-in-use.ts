import { readConfigDigest } from "../../config/stored/config-digest.js";
import { resolvePaths } from "../../config/paths.js";
import { askFoundHub } from "./meet-hub.js";

/** True only if the running hub has read other files of configuration and rules than the current ones. Never rejects. */
export async function usesEarlierConfig(): Promise<boolean> {
  const paths = resolvePaths();
  try {
    const { configDigest } = (await askFoundHub(paths, (hub) => hub.call("hub.status", {}))) ?? {};
    return configDigest !== undefined && configDigest !== readConfigDigest(paths);
  } catch {
    return false;
  }
}
