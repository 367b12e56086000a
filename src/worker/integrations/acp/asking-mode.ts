/** Switches an agent to a mode in which it asks for permission, as its adapter file says. */
import type { Clock } from "../../../model/clock.js";
import type { Json } from "../../../model/data/json.js";
import { withTimeLimit } from "../../../observe/within.js";
import type { AgentAsking } from "../../adapter-format/compiled/compiled.js";
import { createChangeRequest, MODE, formatSetting, type Setting, type AcpSettings } from "./settings.js";

const CHANGE_WITHIN_MS = 15_000;

/** Null where the agent asks, or the adapter file does not say. */
export function describeSilentMode(asking: AgentAsking | null, settings: AcpSettings): string | null {
  const mode = findSilentMode(asking, settings);
  return asking && mode ? `${formatSetting(mode)}: ${asking.note}` : null;
}

function findSilentMode(asking: AgentAsking | null, settings: AcpSettings): Setting | null {
  const mode = settings.find(MODE);
  return asking && mode && !asking.modes.includes(mode.value) ? mode : null;
}

export interface AskingModeParts {
  readonly asking: AgentAsking | null;
  readonly settings: AcpSettings;
  readonly session: {
    readonly version: number;
    ask(method: string, params: Json): Promise<Json>;
  };
  readonly clock: Clock;
}

/** `silence`: a warning that the session stays in a mode in which the agent never asks. */
export interface AskingModeResult {
  readonly switchedTo: string | null;
  readonly silence: string | null;
}

/** Never rejects. */
export async function ensureAskingMode(parts: AskingModeParts): Promise<AskingModeResult> {
  const { asking, settings } = parts;
  const mode = findSilentMode(asking, settings);
  const better = asking?.modes.find((value) => mode?.choices.some((choice) => choice.value === value));
  if (mode && better !== undefined) await changeMode(mode, better, parts).catch(() => undefined);
  const silence = describeSilentMode(asking, settings);
  const now = settings.find(MODE);
  const switchedTo =
    mode && now && silence === null
      ? `${formatSetting(now)} (not ${findChoiceName(mode)}: it does not ask there)`
      : null;
  return { switchedTo, silence };
}

function findChoiceName({ value, choices }: Setting): string {
  return choices.find((choice) => choice.value === value)?.name ?? value;
}

/** Resolves to whether the agent has reported the change. Rejects with the agent's error, or when it does not answer. */
export async function changeMode(
  setting: Setting,
  value: string,
  { settings, session, clock }: Omit<AskingModeParts, "asking">,
): Promise<boolean> {
  const { method, params } = createChangeRequest(setting, value, session.version);
  const answer = await withTimeLimit(
    session.ask(method, params),
    CHANGE_WITHIN_MS,
    clock,
    "the agent does not answer",
  );
  if (settings.find(setting.id)?.value === value) return true;
  if (setting.kind === "mode") settings.setMode(value);
  else settings.noteOptions(answer);
  return false;
}
