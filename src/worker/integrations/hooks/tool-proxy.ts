/** Detects a proxy that would receive the tool's HTTP calls instead of us. */
import { isObject, parseJson } from "../../../model/data/json.js";
import { readSettingsTexts, type SettingsFilePlace } from "./settings-files.js";

/** Also true for a file that sets exceptions from a proxy, or cannot be read. Never throws. */
export function hasProxyInFiles(files: readonly string[], place: SettingsFilePlace): boolean {
  return readSettingsTexts(files, place).some((text) => hasProxy(parseJson(text ?? "")));
}

export function hasProxy(settings: unknown): boolean {
  if (!isObject(settings)) return true;
  const { env = {} } = settings;
  return !isObject(env) || Object.keys(env).some((name) => /proxy/i.test(name));
}

/** A tool may use such a proxy even for the loopback. */
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/**
 * A proxy would see the questions and could answer them. Tools read these variables in different ways, so every `NO_PROXY` must exclude
 * the loopback.
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
