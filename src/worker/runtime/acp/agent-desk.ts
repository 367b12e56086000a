/** The desk for what an agent asks: raised to whoever can answer, and shown in the conversation. */
import type { PromptEvent } from "../../../model/prompt.js";
import type { AdapterEvent } from "../../../sdk/adapter.js";
import { QuestionDesk, type QuestionDeskOptions } from "../question-desk.js";
import { questionStamper } from "../stamp-question.js";
import type { AcpAdapterOptions } from "./acp-adapter-options.js";
import { whyGone } from "./agent-requests.js";
import type { Transcript } from "./transcript.js";

export interface AgentDeskOptions {
  readonly session: AcpAdapterOptions;
  readonly transcript: Transcript;
  readonly tell: (event: AdapterEvent) => void;
  /** A question came or went. */
  readonly onChange: () => void;
  readonly hearing: QuestionDeskOptions["hearing"];
}

export function agentDesk({ session, transcript, tell, onChange, hearing }: AgentDeskOptions): QuestionDesk {
  return new QuestionDesk({
    stamp: questionStamper(session),
    isAttended: session.isAttended,
    whyGone,
    hearing,
    onRaised: (event: PromptEvent) => {
      transcript.question(event);
      tell({ kind: "raised", event });
      onChange();
    },
    onWithdrawn: ({ promptId }, reason) => {
      tell({ kind: "withdrawn", promptId, reason });
      onChange();
    },
    onAnswered: (_, label, by) => {
      transcript.answered(label, by);
      onChange();
    },
    onRefused: ({ question }) => transcript.refused(question),
  });
}
