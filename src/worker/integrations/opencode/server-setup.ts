/** How opencode's server is set up: its login, the user's own settings for it, and what makes it ask. */
import { isObject, type Json } from "../../../model/data/json.js";
import type { Random } from "../../../observe/random.js";
import type { Login } from "../../loopback/loopback-client.js";
import { readSettingsTexts, type SettingsFilePlace } from "../hooks/settings-files.js";

const USER = "atlasbridge";

/** The variables from which opencode's server takes the one login that it accepts. */
const USER_VARIABLE = "OPENCODE_SERVER_USERNAME";
const PASSWORD_VARIABLE = "OPENCODE_SERVER_PASSWORD";

/** Made for one run, and handed to the tool in its environment only. */
export interface ServerLogin extends Login {
  /** What the tool's environment must hold so that its server accepts this login, and no other. */
  readonly environment: Readonly<Record<string, string>>;
}

export function createServerLogin(random: Pick<Random, "nonce">): ServerLogin {
  const password = random.nonce();
  return { user: USER, password, environment: { [USER_VARIABLE]: USER, [PASSWORD_VARIABLE]: password } };
}

/** In the order in which opencode 1.18 merges them. */
const SETTINGS_FILES: readonly string[] = [
  "~/.config/opencode/config.json",
  "~/.config/opencode/opencode.json",
  "~/.config/opencode/opencode.jsonc",
  "$XDG_CONFIG_HOME/opencode/config.json",
  "$XDG_CONFIG_HOME/opencode/opencode.json",
  "$XDG_CONFIG_HOME/opencode/opencode.jsonc",
  "$OPENCODE_CONFIG",
  "$OPENCODE_CONFIG_DIR/opencode.json",
  "$OPENCODE_CONFIG_DIR/opencode.jsonc",
  "/etc/opencode/opencode.json",
  "/etc/opencode/opencode.jsonc",
  "opencode.json",
  "opencode.jsonc",
  ".opencode/opencode.json",
  ".opencode/opencode.jsonc",
];
/** Holds settings itself. */
const SETTINGS_VARIABLE = "OPENCODE_CONFIG_CONTENT";

/** The key may stand at any depth: a file with comments in it is searched and not parsed. */
const SERVER_KEY = /"server"\s{0,16}:/;

/**
 * Whether the user has set up a server: then it is not ours to start with a login of our own. A settings file that cannot be read counts as one that
 * does. Reads files; never throws.
 */
export function hasUserServer(place: SettingsFilePlace): boolean {
  const { environment } = place;
  if (environment[USER_VARIABLE] || environment[PASSWORD_VARIABLE]) return true;
  if (SERVER_KEY.test(environment[SETTINGS_VARIABLE] ?? "")) return true;
  return readSettingsTexts(SETTINGS_FILES, place).some((text) => text === null || SERVER_KEY.test(text));
}

/** opencode does all of this without asking where its user's settings do not mention it. By its own names. */
const ASKED: readonly string[] = ["bash", "edit", "webfetch", "websearch", "task"];

/** Rules that make opencode ask. What the user's own settings mention stays as they say. */
export function buildPermissionRules(config: unknown): readonly Json[] {
  const settings = isObject(config) ? config : {};
  const own = isObject(settings["permission"]) ? Object.keys(settings["permission"]) : [];
  if (typeof settings["permission"] === "string" || own.includes("*")) return [];
  const servers = isObject(settings["mcp"]) ? Object.keys(settings["mcp"]) : [];
  const unmentioned = servers
    .map((name) => name.replaceAll(/[^\w-]/g, "_"))
    .filter((name) => !own.some((each) => each.startsWith(`${name}_`)))
    .map((name) => `${name}_*`);
  return [...ASKED.filter((name) => !own.includes(name)), ...unmentioned].map((permission) => ({
    permission,
    pattern: "*",
    action: "ask",
  }));
}
