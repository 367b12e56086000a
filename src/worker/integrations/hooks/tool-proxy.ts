/** Whether a tool takes a proxy over from its own settings: then what it calls over HTTP may go there, whatever our environment says. */
import { settingsTexts, type SettingsFilePlace } from "./settings-files.js";

/**
 * True where one of these files (`environment_files` of an adapter) names a proxy, or hosts without one, or cannot be read: when in
 * doubt, there is a proxy. Never throws.
 */
export function settingsNameProxy(files: readonly string[], place: SettingsFilePlace): boolean {
  return settingsTexts(files, place).some((text) => namesProxy(parsed(text ?? "")));
}

/** The same of settings that were read already. */
export function namesProxy(settings: unknown): boolean {
  if (settings === null || typeof settings !== "object") return true;
  const { env = {} } = settings as { env?: unknown };
  return env === null || typeof env !== "object" || Object.keys(env).some((name) => /proxy/i.test(name));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
