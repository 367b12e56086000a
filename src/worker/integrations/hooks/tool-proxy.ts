/** Detects a proxy in a tool's own settings: then its HTTP calls may go there, whatever our environment says. */
import { readSettingsTexts, type SettingsFilePlace } from "./settings-files.js";

/**
 * True where one of these files (`environment_files` of an adapter) names a proxy, or hosts without one, or cannot be read: when in
 * doubt, there is a proxy. Never throws.
 */
export function hasProxyInFiles(files: readonly string[], place: SettingsFilePlace): boolean {
  return readSettingsTexts(files, place).some((text) => hasProxy(parseSettings(text ?? "")));
}

/** The same for parsed settings. */
export function hasProxy(settings: unknown): boolean {
  if (settings === null || typeof settings !== "object") return true;
  const { env = {} } = settings as { env?: unknown };
  return env === null || typeof env !== "object" || Object.keys(env).some((name) => /proxy/i.test(name));
}

function parseSettings(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
