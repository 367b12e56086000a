/** What happens in a session, for programs that read along. */
import type { PromptEvent } from "../../../model/prompt.js";
import type { RefusalReason } from "../../prompts/pending-requests.js";
import type { Activity } from "../protocol/activity.js";

export type SessionReport =
  | { readonly type: "activity"; readonly activity: Activity }
  | { readonly type: "asked"; readonly event: PromptEvent }
  | {
      readonly type: "answered";
      readonly event: PromptEvent;
      readonly label: string;
      readonly by: "here" | "elsewhere";
    }
  | { readonly type: "withdrawn"; readonly event: PromptEvent; readonly reason: string }
  | { readonly type: "refused"; readonly question: string; readonly why: RefusalReason };
