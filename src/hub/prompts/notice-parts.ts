/** What every notice is rendered from, for the outbox and for channels that ask for an open card. */
import type { NoticeParts } from "../delivery/notices/build-notice.js";
import type { Ledger } from "../ledger/ledger.js";
import { getPeopleForPrompt } from "../ledger/policy/prompt-people.js";
import { isUrgent } from "../people/quiet-hours.js";
import { readStoredVerdict } from "../policy/verdict.js";
import { findExpiryAnswer } from "./expiry.js";
import { describePolicy } from "./rules/policy-note.js";

export function createNoticeParts(ledger: Ledger, quiet: () => boolean): NoticeParts {
  const { safeText, settings, configuredChannels } = ledger.options;
  const hostLabel = (): string | null => ledger.hostLabel;
  return {
    store: ledger.store,
    safeText,
    configuredChannels,
    expiryValue: findExpiryAnswer,
    peopleFor: (session, prompt) => getPeopleForPrompt(settings(), session, prompt),
    policyNote: (prompt) => describePolicy(ledger, prompt),
    hostLabel,
    hintsAtAsking: () => settings().conversation.ask_hint,
    quiet: (prompt) =>
      quiet() &&
      !isUrgent(settings().quiet_hours, (prompt && readStoredVerdict(prompt.verdict).classes) ?? []),
  };
}
