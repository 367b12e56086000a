/** What `adapters/<tool>.ts` may export, all optional and pure, where YAML cannot say it (design §4). */
import type { Reply } from "../model/reply.js";
import type { Candidate } from "./candidate.js";
import type { PromptContent } from "../model/prompt.js";
import type { Signals, View } from "./view.js";

export interface AdapterCode {
  detect?(view: View, signals: Signals): Candidate | null;
  plan?(view: View, reply: Reply): readonly string[] | null;
  content?(view: View): PromptContent | null;
}
