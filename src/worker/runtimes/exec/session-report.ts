import type { Receipt } from "../../../model/answer/receipt.js";
import type { PromptId } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";
import type { RefusalReason } from "../../prompts/pending-requests.js";
import type { Activity } from "../protocol/activity.js";

export type SessionReport =
  | { readonly type: "activity"; readonly activity: Activity }
  | { readonly type: "asked"; readonly event: PromptEvent }
  /** The decision was sent to the tool; its effect is not known yet. */
  | {
      readonly type: "answered";
      readonly event: PromptEvent;
      readonly label: string;
      readonly by: "here" | "elsewhere";
    }
  /** The observed effect of a remote answer. */
  | { readonly type: "receipt"; readonly promptId: PromptId; readonly receipt: Receipt }
  | { readonly type: "withdrawn"; readonly event: PromptEvent; readonly reason: string }
  | { readonly type: "refused"; readonly question: string; readonly why: RefusalReason };
