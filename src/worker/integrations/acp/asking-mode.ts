/** Whether an agent asks in the mode that its session is in, by what its adapter file says, and how it is put into one in which it does. */
import type { Clock } from "../../../model/clock.js";
import { within } from "../../../observe/within.js";
import type { AgentAsking } from "../../adapter-format/compiled/compiled.js";
import type { AgentSession } from "./agent-session.js";
import { changeRequest, MODE, settingLine, type Setting, type AcpSettings } from "./settings.js";

/** A change is a word between two processes; an agent that does not answer must not keep the person from going on. */
export const CHANGE_WITHIN_MS = 15_000;

/** What a person has to know of a mode in which the agent asks nobody; null where it asks, and where nobody has said. */
export function silenceOf(asking: AgentAsking | null, settings: AcpSettings): string | null {
  const mode = silentMode(asking, settings);
  return asking && mode ? `${settingLine(mode)}: ${asking.note}` : null;
}

function silentMode(asking: AgentAsking | null, settings: AcpSettings): Setting | null {
  const mode = settings.find(MODE);
  return asking && mode && !asking.modes.includes(mode.value) ? mode : null;
}

export interface AskingParts {
  readonly asking: AgentAsking | null;
  readonly settings: AcpSettings;
  readonly session: Pick<AgentSession, "ask" | "version">;
  readonly clock: Clock;
}

/** What is to be said of a session that was opened: the mode that it was put into, or that it stays in one in which nobody is asked. */
export interface Opened {
  readonly put: string | null;
  readonly silence: string | null;
}

/** Leaves a mode in which the agent would ask nobody, if it is in one and can be. Never rejects. */
export async function makeItAsk(parts: AskingParts): Promise<Opened> {
  const { asking, settings } = parts;
  const mode = silentMode(asking, settings);
  const better = asking?.modes.find((value) => mode?.choices.some((choice) => choice.value === value));
  if (mode && better !== undefined) await changeMode(mode, better, parts).catch(() => undefined);
  const silence = silenceOf(asking, settings);
  const now = settings.find(MODE);
  const put =
    mode && now && silence === null
      ? `${settingLine(now)} (not ${nameOf(mode)}: it does not ask there)`
      : null;
  return { put, silence };
}

function nameOf({ value, choices }: Setting): string {
  return choices.find((choice) => choice.value === value)?.name ?? value;
}

/**
 * Chooses; the settings say so when it is done. Resolves to whether the agent reported it by itself. Rejects with what the agent says, or
 * that it does not answer.
 */
export async function changeMode(
  setting: Setting,
  value: string,
  { settings, session, clock }: Omit<AskingParts, "asking">,
): Promise<boolean> {
  const { method, params } = changeRequest(setting, value, session.version);
  const answer = await within(
    session.ask(method, params),
    CHANGE_WITHIN_MS,
    clock,
    "the agent does not answer",
  );
  if (settings.find(setting.id)?.value === value) return true;
  if (setting.kind === "mode") settings.changedMode(value);
  else settings.opened(answer);
  return false;
}
