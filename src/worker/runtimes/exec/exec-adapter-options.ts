/** What the `headless` runtime is given: what it must not make itself. */
import type { SpokenAdapterOptions } from "../protocol/protocol-client.js";
import type { ExecClient, ExecClientParts } from "./exec-client.js";
import type { SessionReport } from "./session-report.js";

export interface ExecAdapterOptions
  extends SpokenAdapterOptions, Pick<ExecClientParts, "version" | "context" | "resume" | "silenceMs"> {
  /** Speaks with the tool in its own words. */
  readonly speak: (parts: ExecClientParts) => ExecClient;
  /** A person far away has stopped it: the turn is cancelled, and no other is to follow. */
  readonly onStopped?: () => void;
  /** Told all that happens in the session, as it happens. */
  readonly onReport?: (report: SessionReport) => void;
}
