/** The policy's decision on a prompt before a human is asked. */
import type { Mode, NumberCase } from "../../model/policy-mode.js";
import type { PolicySession, PolicySubject } from "./subject.js";

/** What an `ask` rule demands beyond the configuration. */
export interface AskTerms {
  /** Names of the only people who may answer; absent: everybody whom the configuration allows. */
  readonly approvers?: readonly string[];
  /** So many people must approve, from 2 on; a no of one decides. */
  readonly quorum?: number;
  /** Whether a yes needs the number that the session's terminal shows; absent: as `prompts.number_for` says. */
  readonly numberMatch?: boolean;
  /** After which times people are reminded, in order; who then may answer, too. */
  readonly escalate?: readonly EscalationStep[];
  /** Answered only on this machine. */
  readonly localOnly?: true;
  readonly expiresMs?: number;
  readonly onExpiry?: "leave" | "safe_default";
}

export interface EscalationStep {
  readonly afterMs: number;
  /** As the rule names them: a role, or a person. */
  readonly to: string;
  /** The names of the people behind that. */
  readonly people: readonly string[];
}

interface PolicyDecision {
  /** `default` where no rule decided. */
  readonly rule: string;
  readonly reason: string;
}

export interface HeldRule {
  readonly rule: string;
  readonly why: string;
}

export interface AskVerdict extends PolicyDecision {
  readonly kind: "ask";
  readonly terms?: AskTerms;
  readonly held?: HeldRule;
}

export interface AnswerVerdict extends PolicyDecision {
  readonly kind: "answer";
  readonly value: string;
  /** The grant of a person that answers, not a rule. */
  readonly grant?: GrantName;
}

export interface GrantName {
  readonly id: string;
  readonly person: string;
}

/** Answered at once with the choice that rejects once. */
export interface DenyVerdict extends PolicyDecision {
  readonly kind: "deny";
  /** For the tool, where it takes a reason. */
  readonly message?: string;
}

export type Verdict =
  | AskVerdict
  | AnswerVerdict
  | DenyVerdict
  /** People are notified, but the answer is given at the terminal. */
  | (PolicyDecision & { readonly kind: "notify"; readonly held?: HeldRule });

/**
 * What a prompt is stored with. `onExpiry` is the setting under which its cards were written: a later one does not change what they
 * say. `movedByMs`: by how much deadlines had been moved by then (`Ledger.movedByMs`), so that its reminders count from when it came.
 */
export type StoredVerdict = Verdict & {
  readonly onExpiry: "leave" | "safe_default";
  readonly movedByMs: number;
  /** Why a yes needs a number though no rule says so. */
  readonly numberFor?: readonly NumberCase[];
  readonly destruction?: string;
  /** For routes and quiet hours; a later reload does not send it elsewhere. */
  readonly classes?: readonly string[];
};

/** How often rules have answered in the prompt's session; read in the transaction that claims. */
export interface RuleUses {
  readonly total: (rule: string) => number;
  readonly since: (rule: string, instant: number) => number;
}

export const NO_USES: RuleUses = { total: () => 0, since: () => 0 };

/** Pure: the same prompt of the same session, with the same uses, gets the same verdict. */
export type Decide = (
  event: PolicySubject["event"],
  session: PolicySession,
  now: number,
  uses: RuleUses,
) => Verdict;

/** The default without a policy file: every prompt goes to people. */
export const askAlways: Decide = () => ({ kind: "ask", rule: "default", reason: "no policy is set" });

/** Exactly what a prompt asks for, or why it cannot be allowed in advance. */
export type ExactRequest =
  | {
      readonly ok: true;
      /** The same for the same request only. */
      readonly key: string;
      /** The answer that allows it once. */
      readonly value: string;
      /** For people; as sanitized as the prompt. */
      readonly shown: string;
      readonly directory: string;
    }
  | { readonly ok: false; readonly why: string };

export interface ActivePolicy {
  readonly mode: Mode;
  /** How long an answer that is only suggested waits for people. */
  readonly countdownMs: number;
  readonly decide: Decide;
  readonly readExact?: (event: PolicySubject["event"], session: PolicySession, now: number) => ExactRequest;
  /** What the request may destroy, for people; null: nothing known. Missing: it is not looked for. */
  readonly findDestruction?: (
    event: PolicySubject["event"],
    session: PolicySession,
    now: number,
  ) => string | null;
}

export const NO_POLICY: ActivePolicy = { mode: "full", countdownMs: 0, decide: askAlways };

/** The verdict that a prompt was stored with; an unreadable one makes no demands. */
export function readStoredVerdict(verdict: string): Partial<StoredVerdict> {
  return JSON.parse(verdict) as Partial<StoredVerdict>;
}

/** What an `ask` rule demands of answers to a prompt. */
export function readTerms(verdict: string): AskTerms {
  const stored = readStoredVerdict(verdict);
  return stored.kind === "ask" ? (stored.terms ?? {}) : {};
}
