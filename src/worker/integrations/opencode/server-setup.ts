/** Sets up opencode's server: its login, and the rules that make it ask. */
import { toObject, type Json } from "../../../model/data/json.js";
import type { Random } from "../../../observe/random.js";
import type { Login } from "../../loopback/loopback-client.js";
import { readSettingsTexts, type SettingsFilePlace } from "../hooks/settings-files.js";

const USER = "atlasbridge";

const USER_VARIABLE = "OPENCODE_SERVER_USERNAME";
const PASSWORD_VARIABLE = "OPENCODE_SERVER_PASSWORD";

/** Made for one run, and passed only in the tool's environment. */
export interface ServerLogin extends Login {
  /** With these variables the server accepts only this login. */
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
const SETTINGS_VARIABLE = "OPENCODE_CONFIG_CONTENT";

/** Files with comments cannot be parsed, so the text is searched. */
const SERVER_KEY = /"server"\s{0,16}:/;

/** Whether the user has set up a server, which we must not replace. An unreadable file counts as one. Never throws. */
export function hasUserServer(place: SettingsFilePlace): boolean {
  const { environment } = place;
  if (environment[USER_VARIABLE] || environment[PASSWORD_VARIABLE]) return true;
  if (SERVER_KEY.test(environment[SETTINGS_VARIABLE] ?? "")) return true;
  return readSettingsTexts(SETTINGS_FILES, place).some((text) => text === null || SERVER_KEY.test(text));
}

/** opencode does these without asking unless the settings mention them. */
const ASKED: readonly string[] = ["bash", "edit", "webfetch", "websearch", "task"];

export function buildPermissionRules(config: unknown): readonly Json[] {
  const { permission: rules, mcp } = toObject(config);
  const own = Object.keys(toObject(rules));
  if (typeof rules === "string" || own.includes("*")) return [];
  const unmentioned = Object.keys(toObject(mcp))
    .map((name) => name.replaceAll(/[^\w-]/g, "_"))
    .filter((name) => !own.some((each) => each.startsWith(`${name}_`)))
    .map((name) => `${name}_*`);
  return [...ASKED.filter((name) => !own.includes(name)), ...unmentioned].map((permission) => ({
    permission,
    pattern: "*",
    action: "ask",
  }));
}
