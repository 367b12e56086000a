/** One vendor's API: reads a request as a conversation, and writes a step as a reply. */
import type { ServerResponse } from "node:http";
import type { MessagesRequest } from "./conversation.js";
import type { Step } from "./script.js";

export interface WriteOptions {
  /** The request, because replies repeat parts of it. */
  readonly body: unknown;
  readonly newId: (prefix: string) => string;
  /** Settles when the test releases a held stream. */
  readonly released: () => Promise<void>;
}

export interface Protocol {
  readonly path: RegExp;
  /** The reply to a request without tools, which asks for a title. */
  readonly title?: string;
  /** In Anthropic's form: results are blocks of a user's message. */
  read(body: unknown): MessagesRequest;
  write(response: ServerResponse, step: Step, options: WriteOptions): Promise<void>;
}
