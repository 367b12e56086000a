/** A hub whose one rule asks for more than a tap, and three people who may answer. */
import { findDestruction } from "../../../../../src/hub/policy/destructive.js";
import { Facts } from "../../../../../src/hub/policy/facts.js";
import { decide } from "../../../../../src/hub/policy/decide.js";
import { NO_POLICY, type ActivePolicy } from "../../../../../src/hub/policy/verdict.js";
import { NUMBER_CASES } from "../../../../../src/model/policy-mode.js";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { commandPrompt, parseRules, WORLD } from "../../../../support/policy/policies.js";
import { CAPABILITIES, configureChannel } from "../../fake-channel.js";
import { ARA, makeRig, SETTINGS, type Rig, type RigOptions } from "../../rig.js";

export const BEN = { name: "Ben", identities: ["chat:2", "slack:2"], role: "approver" } as const;
export const CAT = { name: "Cat", identities: ["chat:3"], role: "approver" } as const;
export const DAN = { name: "Dan", identities: ["chat:4"], role: "viewer" } as const;
export const PEOPLE = [ARA, BEN, CAT, DAN];
export const MINUTE = 60_000;

export async function asking(terms: string, over: RigOptions = {}): Promise<Rig> {
  const rules = parseRules(`\n  - { id: prod, ask: { ${terms} } }\n`);
  const policy: ActivePolicy = {
    mode: "full",
    countdownMs: 0,
    decide: (event, session, now, uses) => decide(rules, { event, session, now }, WORLD, uses),
  };
  const quick = { ...CAPABILITIES, pace: { place: () => [], all: [], edits: [] } };
  return makeRig({
    policy: () => policy,
    settings: { ...SETTINGS, people: PEOPLE },
    configuredChannels: (chat) => [configureChannel(chat, { capabilities: quick })],
    ...over,
  });
}

/** As the configuration is by default. */
export const CAREFUL = {
  ...SETTINGS,
  people: PEOPLE,
  prompts: { ...SETTINGS.prompts, number_for: NUMBER_CASES },
};

/** No file of rules. */
export const NO_RULES: ActivePolicy = {
  ...NO_POLICY,
  findDestruction: (event, session, now) => findDestruction(new Facts({ event, session, now }, WORLD)),
};

/** A hub without rules, and with what takes a number by default. */
export function careful(over: RigOptions = {}): Promise<Rig> {
  const quick = { ...CAPABILITIES, pace: { place: () => [], all: [], edits: [] } };
  return makeRig({
    policy: () => NO_RULES,
    settings: CAREFUL,
    configuredChannels: (chat) => [configureChannel(chat, { capabilities: quick })],
    ...over,
  });
}

export function raiseCommand(
  rig: Rig,
  command: string,
  over: Partial<PromptEvent> = {},
  n = 1,
): Promise<PromptEvent> {
  const { content, excerpt, safetyClass, choices, constraints } = commandPrompt(command, over);
  return rig.raise({ content, excerpt, safetyClass, choices, constraints, ...over }, n);
}

export async function raise(rig: Rig, n = 1): Promise<PromptEvent> {
  const { content, excerpt, safetyClass, choices, constraints } = commandPrompt("deploy");
  return rig.raise({ content, excerpt, safetyClass, choices, constraints }, n);
}

export const readShortId = (rig: Rig, event: PromptEvent): string =>
  rig.store.prompts.find(event.promptId)?.shortId ?? "";
export const card = (rig: Rig) => rig.chat.cards().at(-1)!;
export const repliesTo = (rig: Rig, { promptId }: PromptEvent) =>
  rig.link.replies.filter((reply) => reply.promptId === promptId);

export async function readNumber(rig: Rig, event: PromptEvent): Promise<number> {
  const shown = await rig.core.handlers["prompt.number"](
    { shortId: readShortId(rig, event) },
    { sessionId: null },
  );
  return shown.number ?? 0;
}
