/** Notifies the person at this machine of a new prompt, in the configured ways. Tools never see it. */
import { spawn } from "node:child_process";
import { loadConfig } from "../../config/load.js";
import { resolvePaths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { findQuietEnd, isUrgent } from "../../hub/people/quiet-hours.js";
import { systemClock } from "../../observe/clock.js";
import { sanitizeText } from "../../safety/safe-text.js";
import type { ListedPrompt } from "../../wire/listings.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";

/** How a notification is shown; tests replace these. */
export interface NotifierParts {
  /** Writes to the terminal of `watch`; null if there is none. */
  readonly write: ((text: string) => void) | null;
  readonly run: (command: string, args: readonly string[]) => void;
  readonly now: () => number;
}

export type CallPerson = (
  prompt: Pick<ListedPrompt, "tool" | "type" | "excerpt" | "createdAt" | "classes">,
) => void;

/** Built from the configuration. Errors: ATB_CONFIG_INVALID, ATB_FILE_DENIED. */
export function createConfiguredNotifier(write: NotifierParts["write"]): CallPerson {
  const { config: file } = resolvePaths();
  const config = loadConfig({ file, channels: channelSchemas, env: process.env, secrets: "leave" });
  return createNotifier(config, { write, run: spawnDetached, now: () => systemClock.now() });
}

/** Does not notify of prompts that were already open. */
export function createNotifier(
  { notify, quiet_hours: quietHours }: Pick<Config, "notify" | "quiet_hours">,
  { write, run, now }: NotifierParts,
): CallPerson {
  const startedAt = now();
  return (prompt) => {
    const isQuiet = findQuietEnd(quietHours, now()) !== null && !isUrgent(quietHours, prompt.classes ?? []);
    if (isQuiet || Date.parse(prompt.createdAt) < startedAt) return;
    const { title, body } = describeForNotification(prompt);
    if (notify.includes("bell")) write?.("\u0007");
    // OSC 9 texts that begin with a number mean something else to a terminal, so ours begins with a word.
    if (notify.includes("osc9")) write?.(`\u001b]9;${title}: ${body}\u0007`);
    if (notify.includes("notify-send"))
      run("notify-send", ["--app-name=AtlasBridge", "--", title, escapeMarkup(body)]);
  };
}

/** One line each without control characters, which a terminal would interpret. */
function describeForNotification({ tool, type, excerpt }: Parameters<CallPerson>[0]): {
  title: string;
  body: string;
} {
  const oneLine = (text: string): string => sanitizeText(text).replace(/[\t\n]/g, " ");
  const body = type === "secret" ? "a secret, at its own terminal" : oneLine(excerpt);
  return { title: `AtlasBridge, ${oneLine(tool)} asks`, body };
}

/** Desktops interpret a notification's text as markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** An unreachable desktop must not prevent answering. */
function spawnDetached(command: string, args: readonly string[]): void {
  spawn(command, args, { stdio: "ignore" })
    .on("error", () => undefined)
    .unref();
}
