import type { Command } from "commander";
import { printLines, printResult } from "../output.js";
import { parseWholeNumber } from "../parse-option.js";

interface UpdateFlags {
  readonly from?: string;
  readonly rollback?: true | string;
  readonly dryRun: boolean;
  readonly allowOlder: boolean;
  readonly acceptStarts: boolean;
  readonly json: boolean;
}

export function registerUpdate(adapter: Command): void {
  adapter
    .command("update")
    .summary("install a signed bundle of adapters, or go back")
    .description(
      "Checks the bundle's signature, its files and its own scenarios, says what changes, and installs it at one instant. Running sessions keep what they started with.",
    )
    .option("--from <file|url>", "the bundle: a file, or an https address")
    .option("--rollback [name]", "go back to the version before; before the first one, to none")
    .option("--dry-run", "check and show only", false)
    .option("--allow-older", "install a version that is older than the installed one", false)
    .option("--accept-starts", "let the bundle change how tools are started", false)
    .option("--json", "print one JSON object", false)
    .action(async (flags: UpdateFlags, command: Command) => {
      if ((flags.from === undefined) === (flags.rollback === undefined))
        command.error("error: give either --from FILE|URL or --rollback");
      const { from, rollback } = flags;
      await (from === undefined ? goBack(rollback, flags) : update(from, flags));
    });
}

async function update(from: string, { json, ...flags }: UpdateFlags): Promise<void> {
  const { installFrom } = await import("../../bundles/update.js");
  const { formatUpdate } = await import("../../bundles/format.js");
  await printResult(json, () => installFrom({ ...flags, from }), formatUpdate);
}

async function goBack(rollback: UpdateFlags["rollback"], { json }: UpdateFlags): Promise<void> {
  const { goBackTo } = await import("../../bundles/update.js");
  const { formatRollback } = await import("../../bundles/format.js");
  const name = typeof rollback === "string" ? rollback : null;
  await printResult(json, () => Promise.resolve(goBackTo(name)), formatRollback);
}

export function registerKeygen(adapter: Command): void {
  adapter
    .command("keygen")
    .summary("make a key that signs bundles of adapters")
    .requiredOption("--out <file>", "the private key to write (0600)")
    .action(async ({ out }: { out: string }) => {
      const { makeKey } = await import("../../bundles/make-bundle.js");
      const { file, id, publicKey } = makeKey(out);
      printLines([
        `${file} written. Whoever has it can sign: keep it off shared machines and out of repositories.`,
        `Its id is ${id}. Who trusts it adds this to the configuration:`,
        "adapters:",
        "  trusted_keys:",
        `    - { name: NAME, key: "${publicKey}" }`,
      ]);
    });
}

const NUMBER_MAX = 999_999_999;

interface BundleFlags {
  readonly name: string;
  readonly number: number;
  readonly about: string;
  readonly key: readonly string[];
  readonly scenarios: readonly string[];
  readonly forProgram?: string;
  readonly beforeProgram?: string;
  readonly out: string;
}

export function registerBundle(adapter: Command): void {
  adapter
    .command("bundle")
    .summary("make a signed bundle of adapters and their scenarios")
    .argument("<adapters...>", "adapters or their files")
    .requiredOption("--name <name>", "the bundle's name")
    .requiredOption(
      "--number <n>",
      "its version, a number that rises with each bundle",
      parseWholeNumber(1, NUMBER_MAX),
    )
    .requiredOption("--key <files...>", "private keys to sign with")
    .requiredOption("--scenarios <paths...>", "scenario files or folders; those of other tools are left out")
    .requiredOption("--out <file>", "the bundle to write")
    .option("--about <text>", "one line about it", "")
    .option("--for-program <version>", "the oldest AtlasBridge it is for (default: this one)")
    .option(
      "--before-program <version>",
      "the first AtlasBridge it is not for (default: the next minor version)",
    )
    .action(async (adapters: string[], flags: BundleFlags) => {
      const { makeBundle } = await import("../../bundles/make-bundle.js");
      const { formatMade } = await import("../../bundles/format.js");
      const { name, number: version, about: description, key: keys, scenarios, out } = flags;
      const program = { from: flags.forProgram ?? null, before: flags.beforeProgram ?? null };
      const parts = { name, version, description, adapters, scenarios, keys };
      printLines(formatMade(await makeBundle({ ...parts, ...program, out })));
    });
}
