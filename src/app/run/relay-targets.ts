/** Where questions of this session will go, from the configuration alone: the start line never waits for the hub. */
import type { Config } from "../../config/schema.js";

/** Ids of the channels that have somewhere to deliver to. */
export function relayTargets(config: Config): string[] {
  return Object.entries(config.channels)
    .filter(
      ([, settings]) => ((settings as { deliver_to?: unknown[] } | undefined)?.deliver_to ?? []).length > 0,
    )
    .map(([id]) => id);
}

export interface StartLine {
  readonly relay: boolean;
  readonly targets: readonly string[];
  readonly sessionId: string;
  /** Why nothing is relayed although it was wanted. */
  readonly problem: string | null;
}

/** Our one line at the start of a run. */
export function startLine({ relay, targets, sessionId, problem }: StartLine): string {
  const session = `session ${sessionId.slice(0, 8)}`;
  if (problem) return `atlasbridge: nothing is relayed: ${problem} · ${session}`;
  if (!relay) return `atlasbridge: nothing is relayed (--no-relay) · ${session}`;
  if (targets.length === 0)
    return `atlasbridge: no phone yet: \`atlasbridge channel add telegram\` · ${session}`;
  return `atlasbridge: relayed to ${targets.join(", ")} · ${session}`;
}
