/** The options of the `headless` runtime. */
import type { ProtocolAdapterOptions } from "../protocol/protocol-client.js";
import type { ExecClient, ExecClientParts } from "./exec-client.js";
import type { SessionReport } from "./session-report.js";

export interface ExecAdapterOptions
  extends ProtocolAdapterOptions, Pick<ExecClientParts, "version" | "context" | "resume" | "silenceMs"> {
  /** Creates the client of the tool's own protocol. */
  readonly createClient: (parts: ExecClientParts) => ExecClient;
  /** Called when somebody stopped it remotely: the turn is cancelled, and no further one may begin. */
  readonly onStopped?: () => void;
  /** Called with every event of the session, as it happens. */
  readonly onReport?: (report: SessionReport) => void;
}
