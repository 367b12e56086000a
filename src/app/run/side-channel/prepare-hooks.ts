/**
 * Makes a tool call our hooks during one run, by a settings file with the address and the secret, never by arguments. If anything prevents
 * it, the tool is started as typed, and its prompts are read from the screen.
 */
import { join } from "node:path";
import { writePrivateFolder } from "../../../config/private-files.js";
import { quoteShellWord } from "../../../safety/shell-word.js";
import { systemRandom } from "../../../observe/random.js";
import type { CompiledHooks } from "../../../worker/adapter-format/compiled/compiled-hooks.js";
import { readCommandLine } from "../../../worker/process/command-line.js";
import type { HookAddress, WantedHooks } from "../../../worker/integrations/hooks/hook-settings.js";
import { LoopbackPort } from "../../../worker/loopback/loopback-port.js";
import type { HookAccess } from "../../../worker/integrations/hooks/hook-listener.js";
import { supportsSideChannel, type SideChannelStart } from "./supports-side-channel.js";
import { restoreSettings, removeRunFile, writeRunFile } from "../run-files.js";
import {
  readUserSettings,
  type NamedFile,
  type SettingsInstruction,
} from "../../../worker/integrations/hooks/settings-place.js";
import { buildOwnCommand } from "../../../client/connect/start-hub.js";
import { hasProxy, hasProxyInFiles, reachesLoopback } from "../../../worker/integrations/hooks/tool-proxy.js";

export interface HookedStart extends SettingsInstruction {
  readonly access: HookAccess;
  dispose(): void;
}

/** Null: the tool is started without hooks. Never rejects. */
export async function prepareHooks(start: SideChannelStart): Promise<HookedStart | null> {
  const { hooks } = start.adapter;
  if (!hooks) return null;
  const parts = readCommandLine(start.args, hooks.options);
  if (!(await supportsSideChannel(start, hooks, parts))) return null;
  const own = readUserSettings(hooks.settings, parts, start);
  if (own === null || hasRootedRule(own.settings)) return null;
  const files: string[] = [];
  let loopback: LoopbackPort | null = null;
  try {
    loopback = await LoopbackPort.open();
    const events = listWantedHooks(hooks, canCallUs(start, hooks, own.settings));
    const byCommand = events.events.some(({ by }) => by === "command");
    const callers = byCommand ? ("commands" as const) : ("tool" as const);
    const access = { loopback, secret: systemRandom.nonce(), callers };
    const write = (content: object): string => {
      const file = writeRunFile(start.paths, content);
      files.push(file);
      return file;
    };
    const writeFolder = writePrivateFolder.bind(null, join(start.paths.pluginsDir, start.adapter.name));
    const instruction = own.addHooks(events, buildAddress(access, write), { write, writeFolder });
    if (!instruction) throw new Error("the user's settings contain malformed hooks");
    return { ...instruction, access, dispose: () => dispose(access.loopback, files, instruction.named) };
  } catch {
    if (loopback) dispose(loopback, files);
    return null;
  }
}

function dispose(loopback: LoopbackPort, files: readonly string[], named?: NamedFile): void {
  loopback.close();
  for (const file of files)
    if (file === named?.file) restoreSettings(named);
    else removeRunFile(file);
}

/** A rule such as `Edit(/src/**)` is relative to its settings file: in our copy it would mean another place. */
function hasRootedRule(settings: unknown): boolean {
  const { permissions } = settings as { permissions?: unknown };
  return /\(\/(?!\/)/.test(JSON.stringify(permissions ?? null));
}

/** False if the tool's calls might go through a proxy; our own command then delivers them. */
function canCallUs(start: SideChannelStart, { environmentFiles }: CompiledHooks, settings: unknown): boolean {
  const { environment } = start;
  return reachesLoopback(environment) && !hasProxy(settings) && !hasProxyInFiles(environmentFiles, start);
}

function listWantedHooks({ events, timeoutSeconds }: CompiledHooks, direct: boolean): WantedHooks {
  return { timeoutSeconds, events: events.map(({ name, by }) => ({ name, by: direct ? by : "command" })) };
}

/** The command reads the address from a file, so that no secret is in an argument. */
function buildAddress(
  { loopback: { port }, secret, callers }: HookAccess,
  write: (content: object) => string,
): HookAddress {
  if (callers === "tool") return { port, secret, command: "" };
  const file = write({ port, secret });
  return { port, secret, command: buildOwnCommand(["hook", file]).map(quoteShellWord).join(" ") };
}
