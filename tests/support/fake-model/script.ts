/** What the fake model says: a scenario is a list of steps, one for each request of a turn. */
import {
  type MessagesRequest,
  type RequestMessage,
  readText,
  type ToolResult,
  listToolResults,
} from "./conversation.js";

export interface ToolCall {
  readonly name: string;
  readonly input: object;
}

export interface Step {
  readonly text?: string;
  readonly tools?: readonly ToolCall[];
  /** Stream the text in pieces of `chars`, one every `everyMs`: the spinner and the drawing are real then. */
  readonly pace?: { readonly chars: number; readonly everyMs: number };
  /** Keep the stream open after the text until the test calls `release()`: the tool is working, not waiting. */
  readonly hold?: boolean;
  /** Answer with an API error instead. */
  readonly error?: { readonly status: number; readonly type: string; readonly message: string };
}

export interface ScenarioContext {
  /** The tool's working directory: file tools want absolute paths. */
  readonly cwd: string;
  /** The plan file that plan mode named in the conversation, if it did. */
  readonly planFile: string | null;
}

export type Scenario = (context: ScenarioContext) => readonly Step[];

export interface Place {
  /** The token without its brackets, or null if the conversation has none. */
  readonly scenario: string | null;
  readonly step: number;
}

const TOKEN = /\[\[([a-z0-9-]+)\]\]/g;

/** The last `[[token]]` a user typed, and how many messages with tool results came after it. */
export function findPlace(request: MessagesRequest): Place {
  let step = 0;
  for (const message of request.messages.toReversed()) {
    const token = readToken(message);
    if (token !== null) return { scenario: token, step };
    if (listToolResults(message).length > 0) step += 1;
  }
  return { scenario: null, step };
}

/** The tool results that came after a scenario's token and not after a later one, in the order of the conversation. */
export function listResults(request: MessagesRequest, scenario: string): ToolResult[] {
  let current: string | null = null;
  return request.messages.flatMap((message) => {
    // A message may carry the results of one turn and the text that starts the next.
    const results = current === scenario ? listToolResults(message) : [];
    current = readToken(message) ?? current;
    return results;
  });
}

function readToken(message: RequestMessage): string | null {
  if (message.role !== "user") return null;
  return [...readText(message.content).matchAll(TOKEN)].at(-1)?.[1] ?? null;
}

const LAST: Step = { text: "All done." };

export function stepFor(
  scenarios: Readonly<Record<string, Scenario>>,
  place: Place,
  context: ScenarioContext,
): Step {
  if (place.scenario === null) return { text: "Hello! How can I help you today?" };
  const scenario = scenarios[place.scenario];
  if (!scenario) return { text: `There is no scenario named ${place.scenario}.` };
  return scenario(context)[place.step] ?? LAST;
}
