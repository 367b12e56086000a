/**
 * The audit as OpenTelemetry spans: a trace for a session (`invoke_agent`), a span for a prompt, an event for a step. The conventions
 * have no names for decisions of people, so these attributes are named `atlasbridge.*`. Pure.
 */
import { createHash } from "node:crypto";
import type { AuditRecord } from "../hub/audit/chain.js";
import { toObject } from "../model/data/json.js";

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly events: readonly object[];
  readonly status: { readonly code: number; readonly message?: string };
}

const INTERNAL = 1;
const STATUS = { unset: 0, ok: 1, error: 2 } as const;

/** One OTLP/JSON message (`TracesData`) for a session with at least one row. */
export function buildTrace(sessionId: string, rows: readonly AuditRecord[], version: string): object {
  const byPrompt = new Map<string, AuditRecord[]>();
  for (const row of rows) {
    if (row.promptId === null) continue;
    const own = byPrompt.get(row.promptId) ?? [];
    byPrompt.set(row.promptId, own);
    own.push(row);
  }
  const { tool } = readDetails(rows.find(({ step }) => step === "session_opened"));
  const agent = typeof tool === "string" ? tool : "unknown";
  const session = buildSessionSpan(sessionId, agent, rows);
  const prompts = [...byPrompt].map(([promptId, own]) => buildPromptSpan(session, agent, promptId, own));
  const scopeSpans = [{ scope: { name: "atlasbridge.audit", version }, spans: [session, ...prompts] }];
  return {
    resourceSpans: [{ resource: { attributes: [toAttribute("service.name", "atlasbridge")] }, scopeSpans }],
  };
}

const SESSION_ENDS: ReadonlySet<string> = new Set(["session_closed", "session_lost"]);
const PROMPT_ENDS: ReadonlySet<string> = new Set([
  "injection_ended",
  "prompt_withdrawn",
  "prompt_superseded",
  "prompt_expired",
]);

function buildSessionSpan(sessionId: string, agent: string, rows: readonly AuditRecord[]): Span {
  const own = rows.filter(({ promptId }) => promptId === null);
  const end = rows.findLast(({ step }) => SESSION_ENDS.has(step));
  return {
    traceId: digest(`trace ${sessionId}`, 32),
    spanId: digest(`session ${sessionId}`, 16),
    name: `invoke_agent ${agent}`,
    kind: INTERNAL,
    ...measure(rows, end),
    attributes: [
      toAttribute("gen_ai.operation.name", "invoke_agent"),
      toAttribute("gen_ai.agent.name", agent),
      toAttribute("gen_ai.conversation.id", sessionId),
      toAttribute("atlasbridge.session.open", String(end === undefined)),
    ],
    events: own.map(toEvent),
    status: { code: STATUS.unset },
  };
}

function buildPromptSpan(
  session: Pick<Span, "traceId" | "spanId">,
  agent: string,
  promptId: string,
  rows: readonly AuditRecord[],
): Span {
  const raised = readDetails(rows.find(({ step }) => step === "prompt_raised"));
  const claimed = rows.findLast(({ step }) => step === "prompt_claimed");
  const end = rows.findLast(({ step }) => PROMPT_ENDS.has(step));
  const outcome = end === undefined ? "open" : describeOutcome(end);
  const told = { class: raised["safetyClass"], type: raised["promptType"], verdict: raised["verdict"] };
  const facts = { ...told, rule: raised["rule"], answered_by: readDetails(claimed)["by"], outcome };
  return {
    traceId: session.traceId,
    spanId: digest(`prompt ${promptId}`, 16),
    parentSpanId: session.spanId,
    name: `prompt ${typeof told.class === "string" ? told.class : "unknown"}`,
    kind: INTERNAL,
    ...measure(rows, end),
    attributes: [
      toAttribute("gen_ai.agent.name", agent),
      toAttribute("atlasbridge.prompt.id", promptId),
      ...Object.entries(facts).flatMap(([name, value]) =>
        typeof value === "string" ? [toAttribute(`atlasbridge.prompt.${name}`, value)] : [],
      ),
    ],
    events: rows.map(toEvent),
    status: describeStatus(outcome),
  };
}

function describeOutcome(end: AuditRecord): string {
  const { outcome } = readDetails(end);
  return typeof outcome === "string" ? outcome : end.step.replace("prompt_", "");
}

function describeStatus(outcome: string): Span["status"] {
  if (outcome === "answered") return { code: STATUS.ok };
  if (outcome === "failed" || outcome === "uncertain") return { code: STATUS.error, message: outcome };
  return { code: STATUS.unset };
}

/** The clock may have been set back. */
function measure(
  rows: readonly AuditRecord[],
  end: AuditRecord | undefined,
): Pick<Span, "startTimeUnixNano" | "endTimeUnixNano"> {
  const start = rows[0]?.at ?? 0;
  const last = end ?? rows.at(-1);
  return { startTimeUnixNano: toNanos(start), endTimeUnixNano: toNanos(Math.max(start, last?.at ?? start)) };
}

function toEvent({ at, step, identity, position, hash }: AuditRecord): object {
  return {
    timeUnixNano: toNanos(at),
    name: step,
    attributes: [
      { key: "atlasbridge.audit.position", value: { intValue: String(position) } },
      toAttribute("atlasbridge.audit.hash", hash),
      ...(identity === null ? [] : [toAttribute("atlasbridge.identity", identity)]),
    ],
  };
}

function toAttribute(key: string, stringValue: string): Attribute {
  return { key, value: { stringValue } };
}

/** The protocol writes 64-bit numbers as strings. */
function toNanos(ms: number): string {
  return `${BigInt(ms) * 1_000_000n}`;
}

/** Every export has the same ids, so that exports can be joined. */
function digest(text: string, length: 16 | 32): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

function readDetails(row: AuditRecord | undefined): Readonly<Record<string, unknown>> {
  return toObject(row && JSON.parse(row.details));
}
