/** One turn with an agent, be it real or played: it is given a task, its questions are answered in order, and it is let go. */
import type { ChoiceIntent, PromptEvent } from "../../../src/model/prompt.js";
import { AcpAdapter } from "../../../src/worker/integrations/acp/acp-adapter.js";
import type { ExecAdapter } from "../../../src/worker/runtimes/exec/exec-adapter.js";
import { granted, replyTo } from "../acp-agent.js";
import type { ReadSession } from "../spoken-session.js";

/** An intent: the choice that has it; `cancel`: the turn is stopped instead. */
export type Answer = ChoiceIntent | "cancel" | { readonly value: string; readonly text?: string };

export interface Turn {
  readonly task: string;
  /** What a person chooses for the session first (`:set …`). */
  readonly set?: string;
  readonly answers: readonly Answer[];
}

/** What people are asked; without what is new in each session. */
export type Asked = Pick<
  PromptEvent,
  | "promptType"
  | "confidence"
  | "safetyClass"
  | "excerpt"
  | "choices"
  | "defaultChoice"
  | "constraints"
  | "content"
  | "sources"
>;

export interface Outcome {
  readonly asked: readonly Asked[];
  readonly receipts: readonly string[];
  readonly end: object;
}

export interface Conducted extends ReadSession {
  readonly adapter: AcpAdapter | ExecAdapter;
}

export async function conduct({ adapter, raised, next }: Conducted, turn: Turn): Promise<Outcome> {
  await adapter.ready;
  if (turn.set !== undefined && adapter instanceof AcpAdapter)
    await adapter.commands.take(`:set ${turn.set}`);
  const asked: Asked[] = [];
  const receipts: string[] = [];
  const over = adapter.prompt(turn.task);
  const early = over.then((end) => {
    throw new Error(`it ended after ${asked.length} questions: ${JSON.stringify(end)} ${adapter.stderrTail}`);
  });
  early.catch(() => undefined);
  for (const answer of turn.answers) {
    const event = await Promise.race([raised(), early]);
    asked.push(askedIn(event));
    if (answer === "cancel") adapter.cancel();
    else {
      const { value, ...more } = typeof answer === "string" ? { value: choice(event, answer) } : answer;
      const result = await adapter.injectReply({ ...replyTo(event, value), ...more }, granted);
      if (result.kind === "refused")
        throw new Error(`${result.rejection.code}: ${value} to ${JSON.stringify(askedIn(event))}`);
      receipts.push(result.receipt.outcome);
    }
  }
  const more = next("raised").then((event) => {
    if (event?.kind === "raised") throw new Error(`it asked more: ${JSON.stringify(askedIn(event.event))}`);
    return over;
  });
  more.catch(() => undefined);
  return { asked, receipts, end: await Promise.race([over, more]) };
}

function askedIn(event: PromptEvent): Asked {
  const { promptType, confidence, safetyClass, excerpt, choices, defaultChoice } = event;
  const { constraints, content, sources } = event;
  return {
    promptType,
    confidence,
    safetyClass,
    excerpt,
    choices,
    defaultChoice,
    constraints,
    content,
    sources,
  };
}

function choice({ choices }: PromptEvent, intent: ChoiceIntent): string {
  const at = choices.findIndex((each) => each.intent === intent);
  if (at < 0) throw new Error(`it offers no ${intent}: ${JSON.stringify(choices)}`);
  return String(at + 1);
}
