/** Prints where prompts will go and what else the user has to know, before the tool owns the terminal. */
import { basename } from "node:path";
import type { Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import type { AtlasBridgeError } from "../../model/errors.js";
import { findPlaceProblem, findStartProblem } from "../../client/connect/start-problem.js";
import { readRunConfig } from "../../config/stored/config-text.js";
import { GENERIC_ADAPTER } from "../../plugins/adapters/adapters.js";
import type { CompiledAdapter } from "../../worker/adapter-format/compiled/compiled.js";
import type { ToolSettings } from "../../worker/runtimes/terminal/open-tool.js";
import { announce } from "../../worker/session/host/announce.js";
import { readConnectedChannels } from "../reach-note.js";
import { findRelayTargets, formatStartLine } from "./relay/relay-targets.js";
import type { RunToolOptions } from "./run-tool-options.js";

export interface StartAnnouncement {
  readonly options: RunToolOptions;
  readonly paths: Paths;
  readonly settings: Pick<ToolSettings, "adapter" | "sessionId">;
  readonly note: string | null;
  /** Why the adapter of `settings` is not the tool's own, so that prompts are not relayed; or null. */
  readonly problem: AtlasBridgeError | null;
}

export interface RelayPlan {
  readonly config: Config;
  readonly relay: boolean;
  /** The problem that was printed at the start; null if none was. */
  readonly announced: string | null;
  readonly tool: string;
}

/** Reads the configuration and prints our lines before the tool's first output, without waiting for a hub. */
export async function announceStart(start: StartAnnouncement): Promise<RelayPlan> {
  const { options, paths, settings, note } = start;
  const check = async (text: string) =>
    (await import("../../plugins/channels/check-config.js")).checkConfig(text, paths.config);
  const { config, problem: broken, store } = await readRunConfig(paths, check);
  // Only the first mistake of a broken file; `adapter check` shows all.
  const problem = broken ?? start.problem?.message.split("\n", 1)[0] ?? null;
  const relay = options.relay && problem === null;
  const announced = options.relay
    ? (problem ?? findPlaceProblem(paths) ?? (await findStartProblem(paths, config)))
    : null;
  const tool = getToolName(settings.adapter, options.command[0]);
  const targets = findRelayTargets(
    config,
    { tool, label: options.label, cwd: options.cwd },
    readConnectedChannels(paths),
  );
  const line = formatStartLine({ relay, targets, sessionId: settings.sessionId, problem: announced });
  announce([line].filter(() => announced !== null || (!options.quiet && process.stderr.isTTY)));
  const unasked = options.quiet ? [] : [note, relay ? describeUntested(settings.adapter) : null];
  announce([...unasked, options.nameless && describeNameless(options.nameless)]);
  store();
  return { config, relay, announced, tool };
}

function describeNameless(nameless: string): string {
  return `atlasbridge: ${nameless}: the tool's prompts are read from its screen only, and Ctrl-Z does not stop it`;
}

export function describeUntested({ name, tested }: Pick<CompiledAdapter, "name" | "tested">): string | null {
  if (tested) return null;
  return `atlasbridge: ${name} was never tried with AtlasBridge: its rules are made from what is public about it, and may miss prompts`;
}

/** The name on cards: the adapter's tool, otherwise the executable. */
export function getToolName(compiled: CompiledAdapter, tool: string): string {
  return compiled.name === GENERIC_ADAPTER ? basename(tool) : compiled.name;
}
