/** Replays a scenario through the code of live sessions and compares it with its expectations. */
import type { Clock } from "../../src/model/clock.js";
import { LOCAL_IDENTITY, asId } from "../../src/model/ids.js";
import { chooseNewlinePolicy } from "../../src/model/answer/newline.js";
import { toConfidence } from "../../src/model/prompt.js";
import { parseLegalValue, type Reply } from "../../src/model/answer/reply.js";
import { makeExcerpt } from "../../src/safety/excerpt.js";
import { sanitizeText } from "../../src/safety/safe-text.js";
import type { Candidate } from "../../src/sdk/candidate.js";
import type { View } from "../../src/sdk/view.js";
import { planAnswer } from "../../src/worker/answer/plan/plan.js";
import { isPlan } from "../../src/worker/answer/plan/plan-steps.js";
import type { CompiledAdapter } from "../../src/worker/adapter-format/compiled/compiled.js";
import { replay, type ReplayResult } from "./replay.js";
import { compare, compareReply, type Actual, type PlannedReply } from "./compare.js";
import type { ScenarioResult } from "./reporters.js";
import type { Draft, ExpectedReply, Scenario } from "../scenario/scenario.js";

export function replayScenario(scenario: Scenario, adapter: CompiledAdapter): Promise<ReplayResult> {
  const { events, cols, rows, settleMs, tty } = scenario;
  return replay(adapter, events, { cols, rows, settleMs, tty });
}

/** `clock` measures the real time of the replay. */
export async function runScenario(
  scenario: Scenario,
  adapter: CompiledAdapter,
  clock: Clock,
): Promise<ScenarioResult> {
  const started = clock.monotonic();
  const shown = await replayScenario(scenario, adapter);
  return {
    scenarioId: scenario.scenarioId,
    tool: scenario.tool,
    file: scenario.file,
    description: scenario.description,
    failures: listFailures(scenario, shown),
    actual: readActual(shown),
    frame: shown.view.lines.map((line) => line.text),
    elapsedMs: clock.monotonic() - started,
  };
}

export function listFailures({ expected, replies }: Draft, shown: ReplayResult): readonly string[] {
  return expected ? [...compare(expected, readActual(shown)), ...compareReplies(replies, shown)] : [];
}

/** The prompt at the end and the whole recording, in a scenario's terms. */
export function readActual({ pending, raised, state }: ReplayResult): Actual {
  const whole = { state, count: raised.length };
  if (!pending) return { ...NOTHING_PENDING, ...whole };
  const { candidate } = pending;
  return {
    type: candidate.promptType,
    confidence: toConfidence(candidate.score),
    safetyClass: candidate.safetyClass,
    excerpt: makeExcerpt(sanitizeText(candidate.question)),
    content: candidate.content.text,
    choices: candidate.choices.map((choice) => choice.label),
    details: candidate.choices.flatMap((choice) => choice.detail ?? []),
    defaultChoice: candidate.highlighted,
    ...whole,
  };
}

const NOTHING_PENDING = {
  type: null,
  confidence: null,
  safetyClass: null,
  excerpt: null,
  content: null,
  choices: [],
  details: [],
  defaultChoice: null,
} as const;

function compareReplies(replies: readonly ExpectedReply[], shown: ReplayResult): readonly string[] {
  return replies.flatMap((reply, index) => compareReply(reply, planReply(reply, shown), index));
}

function planReply(reply: ExpectedReply, { pending, view }: ReplayResult): PlannedReply {
  if (!pending) return { kind: "refused", reason: "nothing is pending" };
  return planFor(pending.candidate, view, reply);
}

/** Plans the answer as hub and worker do, assuming that each key has the expected effect. */
function planFor(candidate: Candidate, view: View, { value, text }: ExpectedReply): PlannedReply {
  const legal = parseLegalValue(candidate, value, text);
  if (!legal.ok) return { kind: "refused", reason: legal.rejection.text };
  const planned = planAnswer(candidate, view, createReply(candidate, legal.value, text));
  return isPlan(planned)
    ? { kind: "keys", keys: planned.steps.map((step) => step.keys) }
    : { kind: "refused", reason: planned.text };
}

/** A plan uses only value, text and newline policy. */
function createReply(candidate: Candidate, value: string, text: string | undefined): Reply {
  return {
    replyId: asId("lab"),
    promptId: asId("lab"),
    sessionId: asId("lab"),
    nonce: asId("lab"),
    channelIdentity: LOCAL_IDENTITY,
    timestamp: "",
    value,
    newlinePolicy: chooseNewlinePolicy(candidate.promptType, value),
    ...(text !== undefined && { text }),
  };
}
