/** Google's generateContent: gemini speaks it. */
import type { ServerResponse } from "node:http";
import type { MessagesRequest, RequestBlock, RequestMessage } from "./conversation.js";
import type { Step } from "./script.js";
import type { Protocol, WriteOptions } from "./protocol.js";
import { beginStream, sendData, streamText, writeJson } from "./stream.js";

interface Part {
  readonly text?: string;
  readonly functionResponse?: { readonly id?: string; readonly response?: unknown };
}

interface GeminiRequest {
  readonly contents?: readonly { readonly role?: string; readonly parts?: readonly Part[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
  readonly generationConfig?: {
    readonly responseMimeType?: string;
    readonly responseJsonSchema?: Schema;
    readonly responseSchema?: Schema;
  };
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

const USAGE = { promptTokenCount: 1200, candidatesTokenCount: 42, totalTokenCount: 1242 };

export const gemini: Protocol = {
  path: /:(?:streamG|g)enerateContent$/,
  read(body): MessagesRequest {
    const { contents = [], tools = [] } = body as GeminiRequest;
    const named = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    return { messages: contents.map(makeMessage), tools: named };
  },
  async write(response, step, options) {
    const wanted = (options.body as GeminiRequest).generationConfig;
    // Side questions of the tool (which model, who speaks next) want JSON of a shape that they give.
    const isSide = wanted?.responseMimeType === "application/json";
    if (step.error) writeError(response, step.error);
    else if (isSide) {
      const schema = wanted.responseJsonSchema ?? wanted.responseSchema ?? {};
      writeWhole(response, [{ text: JSON.stringify(answersTo(schema)) }]);
    } else if (response.req.url?.includes("stream")) await writeStream(response, step, options);
    else writeWhole(response, [{ text: step.text ?? "ok" }, ...callParts(step, options)]);
  },
};

function makeMessage({
  role = "user",
  parts = [],
}: {
  role?: string;
  parts?: readonly Part[];
}): RequestMessage {
  const blocks = parts.flatMap((part): RequestBlock[] => {
    if (part.text !== undefined) return [{ type: "text", text: part.text }];
    if (!part.functionResponse) return [];
    const { id = "", response } = part.functionResponse;
    return [{ type: "tool_result", tool_use_id: id, content: JSON.stringify(response) }];
  });
  return { role, content: blocks };
}

const ANSWERS: Readonly<Record<string, unknown>> = {
  model_choice: "pro",
  next_speaker: "user",
  complexity_score: 50,
};

function answersTo({ properties = {} }: Schema): object {
  return Object.fromEntries(Object.keys(properties).map((name) => [name, ANSWERS[name] ?? "none"]));
}

/** A quota that is used up says so in its details; without them the tool tries again and again. */
function writeError(response: ServerResponse, { status, type, message }: NonNullable<Step["error"]>): void {
  const violations = [
    {
      quotaMetric: "generativelanguage.googleapis.com/generate_content_free_tier_requests",
      quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
    },
  ];
  const details = [
    { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations },
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "3600s" },
  ];
  const isQuota = type === "RESOURCE_EXHAUSTED";
  writeJson(response, status, {
    error: { code: status, message, status: type, details: isQuota ? details : [] },
  });
}

function makeReply(parts: readonly object[], finishReason?: string): object {
  const candidate = { content: { role: "model", parts }, index: 0, ...(finishReason && { finishReason }) };
  return { candidates: [candidate], usageMetadata: USAGE, modelVersion: "fake" };
}

function writeWhole(response: ServerResponse, parts: readonly object[]): void {
  writeJson(response, 200, makeReply(parts, "STOP"));
}

/** The first call carries the signature of the thought that led to it; the tool sends it back. */
function callParts({ tools = [] }: Step, { newId }: WriteOptions): object[] {
  return tools.map(({ name, input }, index) => ({
    functionCall: { id: newId("call"), name, args: input },
    ...(index === 0 && { thoughtSignature: "ZmFrZQ==" }),
  }));
}

async function writeStream(response: ServerResponse, step: Step, options: WriteOptions): Promise<void> {
  beginStream(response);
  for await (const text of streamText(response, step)) sendData(response, makeReply([{ text }]));
  if (step.hold) await options.released();
  const parts = callParts(step, options);
  sendData(response, makeReply(parts.length > 0 ? parts : [{ text: "" }], "STOP"));
  response.end();
}
