/** What a prompt's card says of the policy: the rule that asks and why, or the answer that follows unless somebody decides. */
import { formatDuration } from "../../delivery/notices/span.js";
import { describeAnswer } from "../../delivery/notices/outcome-text.js";
import { POLICY_IDENTITY } from "../../../model/ids.js";
import { isOpen } from "../../../model/lifecycle.js";
import type { AskingSession } from "../../../model/where-to-check.js";
import { readStoredVerdict, readTerms } from "../../policy/verdict.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { Ledger } from "../../ledger/ledger.js";
import { getMode } from "../../ledger/policy/policy-mode.js";
import { describeNumberPlace } from "../approval/number.js";
import { findRuleAnswer } from "./rule-answer.js";
import { findCountdown } from "./countdown.js";

/** What a yes takes beyond a tap by a rule; null: nothing. */
function describeDemand(ledger: Ledger, prompt: PromptRow, session: AskingSession | null): string | null {
  const { quorum = 1, numberMatch } = readTerms(prompt.verdict);
  const people = quorum > 1 ? `${quorum} different people must say yes; a no of one decides.` : null;
  const number = numberMatch
    ? quorum > 1
      ? "From the second on with the number that the first was told."
      : `a yes needs the number at ${describeNumberPlace(ledger, prompt, session)}: reply with it.`
    : null;
  const parts = [people, number].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(" ");
}

function describeLocalPlace({ shortId }: PromptRow, session: AskingSession | null): string {
  const isOfAgent = session?.capabilities.underTool === true;
  return isOfAgent ? `on its machine (\`atlasbridge answer ${shortId} …\`)` : "at the terminal";
}

/** Why every yes takes a number though no rule says so; null: it does not. What only "always" takes is said when it is chosen. */
function describeCare(ledger: Ledger, prompt: PromptRow, session: AskingSession | null): string | null {
  const { numberFor = [], destruction = "it may destroy something" } = readStoredVerdict(prompt.verdict);
  const why = [
    ...(numberFor.includes("destructive") ? [destruction] : []),
    ...(numberFor.includes("hidden") ? ["a part of it is hidden or misleads"] : []),
  ];
  return why.length === 0
    ? null
    : `⚠ ${why.join(", and ")}: a yes needs the number at ${describeNumberPlace(ledger, prompt, session)}: reply with it.`;
}

export function describePolicy(ledger: Ledger, prompt: PromptRow): string | null {
  const session = ledger.store.sessions.find(prompt.sessionId);
  const parts = [describeCare(ledger, prompt, session), describeRule(ledger, prompt, session)].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? null : parts.join("\n");
}

function describeRule(ledger: Ledger, prompt: PromptRow, session: AskingSession | null): string | null {
  const { rule, reason, kind } = readStoredVerdict(prompt.verdict);
  if (rule === undefined || reason === undefined) return null;
  if (kind === "notify")
    return `Rule ${rule}: this is to be answered ${describeLocalPlace(prompt, session)}.`;
  if (readTerms(prompt.verdict).localOnly === true) {
    const command = `with \`atlasbridge answer ${prompt.shortId} …\` on its machine`;
    const isOfAgent = session?.capabilities.underTool === true;
    return `Rule ${rule}: this is to be answered ${isOfAgent ? "" : "at the terminal, or "}${command}.`;
  }
  const demand = describeDemand(ledger, prompt, session);
  if (demand !== null) return `Rule ${rule}: ${demand}`;
  const answer = findRuleAnswer(prompt);
  if (answer !== null) {
    const label = describeAnswer(prompt.event, answer.value, ledger.options.safeText);
    const { grant } = answer;
    // What became of the answer is the prompt's outcome.
    if (!isOpen(prompt.state)) return null;
    if (ledger.store.replies.isRefused(prompt.promptId, POLICY_IDENTITY))
      return grant === undefined
        ? `Rule ${rule} gave the answer ${label}, which was not applied: it is for you to decide.`
        : `Grant ${grant.id} of ${grant.person} gave the answer ${label}, which was not applied: it is for you to decide.`;
    if (grant !== undefined) return `Grant ${grant.id} of ${grant.person} would answer: ${label}.`;
    const due = findCountdown(ledger, prompt);
    if (due === null)
      return getMode(ledger, prompt.sessionId) === "off" ? null : `Rule ${rule} would answer: ${label}.`;
    const after = formatDuration(Math.max(0, due - prompt.createdAt));
    return `Rule ${rule} answers ${label} ${after} after the prompt if it then still may (not while paused), unless somebody decides or writes: hold ${prompt.shortId}`;
  }
  // Without rules, or where none has to do with it, there is nothing to say.
  return rule === "default" && !reason.startsWith("rule ") ? null : reason.replace(/^rule/, "Rule");
}
