/** Detects a proxy in a tool's environment and in its own settings: its HTTP calls may go there instead of to us. */
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

/** A tool that has one of these may send every call through the proxy, even one to the loopback. */
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/**
 * False when the tool's calls might go to a proxy instead of the loopback: the proxy would see the questions and could answer in our
 * place. Tools read these variables differently (case, order), so every `NO_PROXY` must exclude the loopback.
 */
export function reachesLoopback(environment: Readonly<Record<string, string | undefined>>): boolean {
  const named = (name: string): string[] =>
    [environment[name.toLowerCase()], environment[name]].flatMap((value) => value || []);
  if (PROXIES.every((name) => named(name).length === 0)) return true;
  const lists = named("NO_PROXY").map((list) => list.split(",").map((host) => host.trim()));
  return lists.length > 0 && lists.every((hosts) => hosts.some(isLoopback));
}

function isLoopback(host: string): boolean {
  return host === "*" || host === "127.0.0.1" || host === "127.0.0.0/8";
}
