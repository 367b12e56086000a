/** What the commands on bundles print. */
import { formatOrigin } from "../plugins/adapters/adapters.js";
import type { AdapterChange } from "./compare-bundle.js";
import type { MadeBundle } from "./make-bundle.js";
import type { RollbackResult, UpdateResult } from "./update.js";

export function formatUpdate({
  outcome,
  bundle,
  version,
  signer,
  before,
  changes,
}: UpdateResult): readonly string[] {
  const told = before === null ? "" : `; version ${before.version} by ${before.signer} is installed`;
  const head = `Bundle ${bundle} ${version}, signed by ${signer.name} (${signer.id})${told}.`;
  if (outcome === "unchanged") return [head, "It is installed already; nothing was changed."];
  const end =
    outcome === "checked"
      ? ["All checks hold. Nothing was installed (--dry-run)."]
      : [
          "Installed. Running sessions keep what they started with.",
          `To go back: atlasbridge adapter update --rollback ${bundle}`,
        ];
  return [head, ...changes.flatMap(formatChange), ...end];
}

function formatChange({ name, from, to, rules, parts, starts, hiddenBy }: AdapterChange): string[] {
  const before = from === null ? "new" : `${from.version} (${formatOrigin(from.origin)})`;
  const after = to === null ? "gone" : to.version + (to.origin.kind === "package" ? " (the package's)" : "");
  const details = [
    ...formatNames("rules added", rules.added),
    ...formatNames("rules removed", rules.removed),
    ...formatNames("rules changed", rules.changed),
    ...formatNames(
      "also changed",
      parts.filter((part) => !starts.includes(part)),
    ),
    ...formatNames("HOW IT IS STARTED changes", starts),
    ...(hiddenBy === null ? [] : [`your own file is used instead: ${hiddenBy}`]),
  ];
  return [`  ${name}  ${before} → ${after}`, ...details.map((detail) => `    ${detail}`)];
}

function formatNames(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(", ")}`];
}

export function formatRollback({
  bundle,
  from,
  to,
  gone,
  isUsable,
  problem,
}: RollbackResult): readonly string[] {
  const left = gone.map(
    ({ name, instead }) => `  ${name}: ${instead === null ? "no adapter any more" : formatOrigin(instead)}`,
  );
  if (to === null) return [`Bundle ${bundle} ${from} is no longer used. Instead of its adapters:`, ...left];
  return [
    `Bundle ${bundle}: version ${to} is used instead of ${from}.`,
    ...(isUsable ? [] : ["It was made for other versions of AtlasBridge: its adapters do not count."]),
    ...left,
    ...(problem === null ? [] : [`⚠ It is not what was signed by a key that is trusted: ${problem}`]),
  ];
}

export function formatMade({ file, bytes, signers, checks }: MadeBundle): readonly string[] {
  return [
    ...checks.map(
      ({ name, rules, scenarios }) => `✓ ${name}  rules: ${rules.length}, scenarios: ${scenarios}`,
    ),
    `${file} written: ${bytes} bytes, signed by ${signers.join(", ")}.`,
  ];
}
