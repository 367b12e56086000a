/** A model's API in whatever words a vendor gave it: a request read as a conversation, a step written as a reply. */
import type { ServerResponse } from "node:http";
import type { MessagesRequest } from "../fake-anthropic/protocol.js";
import type { Step } from "../fake-anthropic/script.js";

export interface WriteOptions {
  /** The request as it was sent: replies repeat parts of it. */
  readonly body: unknown;
  readonly newId: (prefix: string) => string;
  /** Settles when the test lets go of a held stream. */
  readonly released: () => Promise<void>;
}

export interface Protocol {
  /** Tells this API's requests from all others. */
  readonly path: RegExp;
  /** Who said what, in the shape that scripts read: results are blocks of a user's message. */
  read(body: unknown): MessagesRequest;
  write(response: ServerResponse, step: Step, options: WriteOptions): Promise<void>;
}
