/** Calls the person at the desk when a question comes, in the ways that the configuration names. Nothing of it reaches a tool. */
import { spawn } from "node:child_process";
import { loadConfig } from "../../config/load.js";
import { resolvePaths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { quietUntil } from "../../hub/people/quiet-hours.js";
import { systemClock } from "../../observe/clock.js";
import { safeText } from "../../safety/safe-text.js";
import type { ListedPrompt } from "../../wire/listings.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";

/** How a person is reached; tests put others in their place. */
export interface NotifierParts {
  /** To the terminal that `watch` runs in; null where it is none. */
  readonly write: ((text: string) => void) | null;
  readonly run: (command: string, args: readonly string[]) => void;
  readonly now: () => number;
}

export type CallPerson = (prompt: Pick<ListedPrompt, "tool" | "type" | "excerpt" | "createdAt">) => void;

/** As configured. Errors: ATB_CONFIG_INVALID, ATB_FILE_DENIED. */
export function configuredNotifier(write: NotifierParts["write"]): CallPerson {
  const { config: file } = resolvePaths();
  const config = loadConfig({ file, channels: channelSchemas, env: process.env, secrets: "leave" });
  return notifier(config, { write, run: runApart, now: () => systemClock.now() });
}

/** Questions that were open before are no news. */
export function notifier(
  { notify, quiet_hours: quietHours }: Pick<Config, "notify" | "quiet_hours">,
  { write, run, now }: NotifierParts,
): CallPerson {
  const startedAt = now();
  return (prompt) => {
    if (Date.parse(prompt.createdAt) < startedAt || quietUntil(quietHours, now()) !== null) return;
    const { title, body } = wordsFor(prompt);
    if (notify.includes("bell")) write?.("\u0007");
    // A terminal takes what begins with a number for something else; ours begins with a word.
    if (notify.includes("osc9")) write?.(`\u001b]9;${title}: ${body}\u0007`);
    if (notify.includes("notify-send"))
      run("notify-send", ["--app-name=AtlasBridge", "--", title, asMarkup(body)]);
  };
}

/** One line each, without a control character: a terminal would act on it. */
function wordsFor({ tool, type, excerpt }: Parameters<CallPerson>[0]): { title: string; body: string } {
  const oneLine = (text: string): string => safeText(text).replace(/[\t\n]/g, " ");
  const body = type === "secret" ? "a secret, at its own terminal" : oneLine(excerpt);
  return { title: `AtlasBridge, ${oneLine(tool)} asks`, body };
}

/** Desktops read the text of a notification as markup. */
function asMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A desktop that cannot be reached keeps nobody from answering. */
function runApart(command: string, args: readonly string[]): void {
  spawn(command, args, { stdio: "ignore" })
    .on("error", () => undefined)
    .unref();
}
