/** Whether the user has set up opencode's server: then it is not ours to start with a login of our own. */
import { readSettingsTexts, type SettingsFilePlace } from "../hooks/settings-files.js";
import { PASSWORD_VARIABLE, USER_VARIABLE } from "./server-login.js";

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

/** A settings file that cannot be read counts as one that sets up a server. Reads files; never throws. */
export function hasUserServer(place: SettingsFilePlace): boolean {
  const { environment } = place;
  if (environment[USER_VARIABLE] || environment[PASSWORD_VARIABLE]) return true;
  if (SERVER_KEY.test(environment[SETTINGS_VARIABLE] ?? "")) return true;
  return readSettingsTexts(SETTINGS_FILES, place).some((text) => text === null || SERVER_KEY.test(text));
}
