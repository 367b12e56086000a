/** The schemas of the tools that an agent is offered. */
import { AGENT_TEXT_MAX } from "../../../model/answer/reply.js";

export const ASK_TOOL = "ask_human";
export const NOTIFY_TOOL = "notify_human";
export const PERMISSION_TOOL = "permission_prompt";

const QUESTION_LENGTH_MAX = 2000;
const CONTEXT_LENGTH_MAX = 256 * 1024;
const CHOICES_MAX = 20;
const CHOICE_LENGTH_MAX = 200;
/** Room for the sender's name above a message. */
const HEAD_LENGTH_MAX = 200;
/** A week. */
const TIMEOUT_SECONDS_MAX = 7 * 24 * 3600;

export interface AskArguments {
  readonly question: string;
  readonly context?: string;
  readonly choices?: readonly string[];
  readonly multiple?: boolean;
  readonly allow_text?: boolean;
  readonly timeout_seconds?: number;
}

export interface NotifyArguments {
  readonly message: string;
}

export interface PermissionArguments {
  readonly tool_name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const ANSWER = {
  type: "object",
  properties: {
    status: {
      type: "string",
      enum: ["answered", "declined", "timed_out", "unreachable"],
      description: "timed_out: nobody answered; unreachable: the question could not be brought to anybody",
    },
    answer: { type: "string", description: "The choice, or the person's own words" },
    answers: { type: "array", items: { type: "string" }, description: "All choices, of a multiple question" },
    reason: { type: "string", description: "Why nobody could be asked" },
  },
  required: ["status"],
} as const;

export const TOOLS = [
  {
    name: ASK_TOOL,
    title: "Ask the human",
    description:
      "Asks the human who supervises you one question, on their phone or terminal, and waits for the answer. Use it for decisions that " +
      "only they can take. Ask one self-contained question; they may not see your conversation, so put what they have to know into " +
      "context. With choices they tap one; without, they write text.",
    inputSchema: {
      type: "object",
      properties: {
        question: { type: "string", minLength: 1, maxLength: QUESTION_LENGTH_MAX, pattern: "\\S" },
        context: {
          type: "string",
          maxLength: CONTEXT_LENGTH_MAX,
          description: "What has to be known, or judged, to answer: shown in full above the question",
        },
        choices: {
          type: "array",
          items: { type: "string", minLength: 1, maxLength: CHOICE_LENGTH_MAX, pattern: "\\S" },
          minItems: 1,
          maxItems: CHOICES_MAX,
          uniqueItems: true,
          description: "Answers to choose from; left out: the answer is text",
        },
        multiple: { type: "boolean", description: "Any number of the choices may be taken" },
        allow_text: { type: "boolean", description: "They may also answer in their own words" },
        timeout_seconds: {
          type: "integer",
          minimum: 1,
          maximum: TIMEOUT_SECONDS_MAX,
          description: "Go on without an answer after this long",
        },
      },
      required: ["question"],
      additionalProperties: false,
    },
    outputSchema: ANSWER,
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  {
    name: NOTIFY_TOOL,
    title: "Tell the human",
    description:
      "Sends the human who supervises you a short message and does not wait. Use it for what they want to know at once: a long task is " +
      "done, something needs them later.",
    inputSchema: {
      type: "object",
      properties: {
        message: {
          type: "string",
          minLength: 1,
          maxLength: AGENT_TEXT_MAX - HEAD_LENGTH_MAX,
          pattern: "\\S",
        },
      },
      required: ["message"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        places: {
          type: "integer",
          description:
            "How many chats it goes to that take messages, as far as is known; 0: none takes messages now, so perhaps nobody hears of it away from this machine",
        },
      },
      required: ["places"],
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  {
    name: PERMISSION_TOOL,
    title: "Permission prompt",
    description:
      "For the program that runs an agent, not for the agent: asks the human whether a tool call may run " +
      "(claude --permission-prompt-tool mcp__atlasbridge__permission_prompt).",
    inputSchema: {
      type: "object",
      properties: {
        tool_name: { type: "string", minLength: 1 },
        input: { type: "object" },
        tool_use_id: { type: "string" },
      },
      required: ["tool_name", "input"],
    },
  },
] as const;
