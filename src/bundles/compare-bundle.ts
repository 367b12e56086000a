/** The changes of a bundle, adapter by adapter, against the adapters in use. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { AdapterOrigin } from "../plugins/adapters/adapters.js";
import type { CompiledAdapter } from "../worker/adapter-format/compiled/compiled.js";

/** What decides which program is started, with which arguments and variables, and who it takes orders from. */
const START_PARTS = [
  "process",
  "aliases",
  "asking",
  "hooks",
  "coattach",
  "acp",
  "headless",
  "signals",
] as const;
const COMPARED_BY_ITSELF = new Set<string>(["name", "version", "description", "rules", "code"]);

export interface AdapterChange {
  readonly name: string;
  /** Null: a new adapter. */
  readonly from: { readonly version: string; readonly origin: AdapterOrigin } | null;
  /** Null: it is gone, and nothing takes its place. */
  readonly to: { readonly version: string; readonly origin: AdapterOrigin } | null;
  readonly rules: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changed: readonly string[];
  };
  /** Other parts that differ. */
  readonly parts: readonly string[];
  /** Parts among them that change how tools are started. */
  readonly starts: readonly string[];
  /** The user's own file, which is used instead. */
  readonly hiddenBy: string | null;
}

export interface ComparedAdapter {
  readonly adapter: CompiledAdapter;
  readonly origin: AdapterOrigin;
}

export function compareAdapters(
  name: string,
  from: ComparedAdapter | null,
  to: ComparedAdapter | null,
  hiddenBy: string | null,
): AdapterChange {
  const parts = to === null ? [] : listChangedParts(from?.adapter ?? null, to.adapter);
  return {
    name,
    from: from && { version: from.adapter.version, origin: from.origin },
    to: to && { version: to.adapter.version, origin: to.origin },
    rules: compareRules(from?.adapter ?? null, to?.adapter ?? null),
    parts,
    starts: START_PARTS.filter((part) => parts.includes(part)),
    hiddenBy,
  };
}

function compareRules(from: CompiledAdapter | null, to: CompiledAdapter | null): AdapterChange["rules"] {
  const before = new Map(from?.rules.map((rule) => [rule.name, rule]));
  const after = new Map(to?.rules.map((rule) => [rule.name, rule]));
  const names = [...after.keys()];
  return {
    added: names.filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed: names.filter(
      (name) => before.has(name) && !isDeepStrictEqual(before.get(name), after.get(name)),
    ),
  };
}

/** For a new adapter only the parts beyond starting a program by its name. */
function listChangedParts(from: CompiledAdapter | null, to: CompiledAdapter): string[] {
  const before: Readonly<Record<string, unknown>> = { ...(from ?? PLAIN) };
  return Object.entries(to)
    .filter(([part]) => !COMPARED_BY_ITSELF.has(part) && (from !== null || part in PLAIN))
    .filter(([part, value]) => !isDeepStrictEqual(before[part], value))
    .map(([part]) => part)
    .concat(from === null && !isPlainProcess(to) ? ["process"] : []);
}

/** A new adapter is compared with one that only starts a program by its name. */
const PLAIN = {
  aliases: [],
  signals: { programStatus: null },
  asking: null,
  hooks: null,
  coattach: null,
  acp: null,
  headless: null,
} as const;

function isPlainProcess({ process }: CompiledAdapter): boolean {
  return (
    Object.keys(process.env).length === 0 && process.executables.every((command) => !command.includes("/"))
  );
}
