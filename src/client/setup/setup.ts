/**
 * `atlasbridge setup`: from nothing to the first answered prompt. Each step first checks what is already done, so the command can be
 * repeated.
 */
import { readConfigText, setPromptSetting } from "../../config/edit.js";
import { resolvePaths, type Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { applyConfig } from "../apply-config.js";
import { listPeopleWithRole, readConfig, readPlaces } from "../channels/list-channels.js";
import { pairWithChannel, type PairedPerson, type PairingDialog } from "../channels/pair-person.js";
import { prepareChannel, type PreparedChannel, type SecretDialog } from "../channels/prepare-channel.js";
import { requestReload } from "../request-reload.js";
import { withHub } from "../client.js";
import { listTools, type InstalledTool } from "./asking-tools.js";
import { askTestPrompt, type TestOutcome } from "./test-prompt.js";

export const SETUP_STEPS = ["channel", "person", "test"] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

export type SetupProgress =
  | { readonly kind: "account"; readonly account: string }
  | { readonly kind: "paired"; readonly person: PairedPerson }
  | { readonly kind: "already_paired"; readonly names: readonly string[] }
  | { readonly kind: "presence"; readonly deliverAfter: string };

export interface SetupDialog extends SecretDialog, PairingDialog {
  begin(step: SetupStep): void;
  report(progress: SetupProgress): void;
  beforeTest(): void;
  warnUnreached(problem: string): void;
}

export interface SetupOptions {
  readonly channel: string;
  readonly pairMore: boolean;
  readonly test: boolean;
  /** Null: as it is configured. */
  readonly deliverAfter: string | null;
}

export interface SetupResult {
  readonly channel: string;
  readonly account: string;
  readonly approvers: readonly string[];
  readonly deliverAfter: string;
  readonly test: TestOutcome | null;
  readonly tools: readonly InstalledTool[];
  readonly config: string;
}

/** Errors: those of `prepareChannel`, `pairWithChannel` and `askTestQuestion`; ATB_PAIRING_FAILED if nobody was paired. */
export async function setUp(options: SetupOptions, dialog: SetupDialog): Promise<SetupResult> {
  const paths = resolvePaths();
  const { channel } = options;
  dialog.begin("channel");
  const prepared = await prepareChannel(paths, channel, dialog);
  dialog.report({ kind: "account", account: prepared.account.account });
  dialog.begin("person");
  await pairUnlessPaired(paths, prepared, options, dialog);
  const deliverAfter = await choosePresence(paths, options);
  dialog.report({ kind: "presence", deliverAfter });
  const test = options.test ? await runTest(paths, dialog) : null;
  return {
    channel,
    account: prepared.account.account,
    approvers: listPeopleWithRole(readConfig(paths), channel, "approver"),
    deliverAfter,
    test,
    tools: await listTools(paths),
    config: paths.config,
  };
}

/** The test must be answered with Yes over this channel, not at a keyboard or over another one. */
export function isWayProved({ answer, state, over }: TestOutcome, channel: string): boolean {
  return answer === "yes" && state === "answered" && over === channel;
}

async function pairUnlessPaired(
  paths: Paths,
  prepared: PreparedChannel,
  { channel, pairMore }: SetupOptions,
  dialog: SetupDialog,
): Promise<void> {
  const names = isPaired(paths, channel) ? listPeopleWithRole(readConfig(paths), channel, "approver") : [];
  if (names.length > 0 && !pairMore) {
    const { endpoint } = prepared;
    await withHub(paths, async (hub) => {
      await requestReload(paths, hub);
      if (endpoint) await hub.call("channel.trust", { channel, address: endpoint.address });
    });
    dialog.report({ kind: "already_paired", names });
    return;
  }
  const person = await pairWithChannel(paths, prepared, dialog);
  if (person === null)
    throw new AtlasBridgeError("ATB_PAIRING_FAILED", "nobody was paired", {
      hint: "Run the command again: it goes on at this step.",
    });
  dialog.report({ kind: "paired", person });
}

function isPaired(paths: Paths, channel: string): boolean {
  return readPlaces(readConfig(paths).channels[channel]).length > 0;
}

const PRESENCE_KEY = "deliver_after";

async function choosePresence(paths: Paths, { deliverAfter }: SetupOptions): Promise<string> {
  if (deliverAfter !== null)
    await applyConfig(paths, setPromptSetting(readConfigText(paths.config), PRESENCE_KEY, deliverAfter));
  return `${readConfig(paths).prompts.deliver_after / 1000}s`;
}

async function runTest(paths: Paths, dialog: SetupDialog): Promise<TestOutcome> {
  dialog.begin("test");
  dialog.beforeTest();
  return askTestPrompt(paths, (problem) => dialog.warnUnreached(problem));
}
