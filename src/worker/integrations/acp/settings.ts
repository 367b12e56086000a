/** The settings of a session: its mode, its model, and other options of the agent. */
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";

export interface SettingChoice {
  readonly value: string;
  readonly name: string;
}

export interface Setting {
  readonly id: string;
  readonly name: string;
  /** `mode`: a mode of version 1, which has its own request. */
  readonly kind: "mode" | "choice" | "switch";
  readonly value: string;
  readonly choices: readonly SettingChoice[];
}

export const MODE = "mode";
const SWITCH: readonly SettingChoice[] = [
  { value: "true", name: "on" },
  { value: "false", name: "off" },
];

export class AcpSettings {
  #modes: Setting | null = null;
  #options: readonly Setting[] = [];

  /** A mode of version 1 is hidden by an option with the same id. */
  get all(): readonly Setting[] {
    const hasMode = this.#options.some(({ id }) => id === MODE);
    return this.#modes && !hasMode ? [this.#modes, ...this.#options] : this.#options;
  }

  /** Reads modes and options from the answer to a request. */
  noteOptions(given: Json): void {
    const modes = isObject(given["modes"]) ? readModeSetting(given["modes"]) : null;
    if (modes) this.#modes = modes;
    if (Array.isArray(given["configOptions"])) this.#options = readOptions(given["configOptions"]);
  }

  /** A line for each setting that the report changes; null for other reports. */
  take(update: Json): readonly string[] | null {
    const kind = toText(update["sessionUpdate"]);
    if (kind !== "current_mode_update" && kind !== "config_option_update") return null;
    const before = this.all;
    const mode = toText(update["currentModeId"]);
    if (mode !== null) this.setMode(mode);
    this.noteOptions({ configOptions: update["configOptions"] });
    return this.all
      .filter(({ id, value }) => before.find((each) => each.id === id)?.value !== value)
      .map(formatSetting);
  }

  setMode(value: string): void {
    this.#modes = { ...(this.#modes ?? NO_MODES), value };
  }

  /** By id or name, ignoring case. */
  find(word: string): Setting | null {
    return findNamed(this.all, word, ({ id, name }) => [id, name]);
  }
}

const NO_MODES: Setting = { id: MODE, name: "Mode", kind: "mode", value: "", choices: [] };

export function findChoice({ choices }: Setting, word: string): SettingChoice | null {
  return findNamed(choices, word, ({ value, name }) => [value, name]);
}

function findNamed<T>(all: readonly T[], word: string, names: (each: T) => readonly string[]): T | null {
  const wanted = word.toLowerCase();
  const exact = all.find((each) => names(each).includes(word));
  return exact ?? all.find((each) => names(each).some((name) => name.toLowerCase() === wanted)) ?? null;
}

export function formatSetting({ name, value, choices }: Setting): string {
  return `${name}: ${choices.find((choice) => choice.value === value)?.name ?? value}`;
}

export function createChangeRequest(
  { id, kind }: Setting,
  value: string,
  version: number,
): { readonly method: string; readonly params: Json } {
  if (kind === "mode") return { method: "session/set_mode", params: { modeId: value } };
  const chosen =
    kind === "switch"
      ? { type: "boolean", value: value === "true" }
      : { ...(version > 1 && { type: "id" }), value };
  return { method: "session/set_config_option", params: { configId: id, ...chosen } };
}

function readModeSetting({ currentModeId, availableModes }: Json): Setting | null {
  const value = toText(currentModeId);
  const choices = toArray(availableModes).flatMap((mode) => readChoice(mode, "id"));
  return value === null ? null : { ...NO_MODES, value, choices };
}

function readOptions(given: readonly unknown[]): Setting[] {
  return given.filter(isObject).flatMap((option): Setting[] => {
    const id = toText(option["configId"]) ?? toText(option["id"]);
    const { type, currentValue } = option;
    if (id === null) return [];
    const name = toText(option["name"]) ?? id;
    if (type === "boolean")
      return [{ id, name, kind: "switch", value: String(currentValue === true), choices: SWITCH }];
    const value = toText(currentValue);
    const choices = readChoices(option["options"]);
    return value === null || choices.length === 0 ? [] : [{ id, name, kind: "choice", value, choices }];
  });
}

function readChoices(given: unknown): SettingChoice[] {
  return toArray(given).flatMap((each) =>
    isObject(each) && Array.isArray(each["options"])
      ? readChoices(each["options"])
      : readChoice(each, "value"),
  );
}

function readChoice(given: unknown, key: string): SettingChoice[] {
  const value = isObject(given) ? toText(given[key]) : null;
  return isObject(given) && value !== null ? [{ value, name: toText(given["name"]) ?? value }] : [];
}
