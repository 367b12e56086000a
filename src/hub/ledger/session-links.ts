import type { WorkerLink } from "../../wire/connection-ends.js";
import type { PaintScreen } from "../picture/paint.js";
import type { Ledger } from "./ledger.js";

export interface SessionLinks {
  readonly ledger: Ledger;
  readonly findLink: (sessionId: string) => WorkerLink | null;
  readonly paintScreen: PaintScreen | null;
}
