/** Rules for protocols that send questions with options as a request of their own: they are handled like an agent's question tool. */
import type { CallRules } from "../tool-call-request.js";

export const QUESTION_TOOL = "request_user_input";

export const QUESTIONS: CallRules = {
  calls: [
    {
      tool: `^${QUESTION_TOOL}$`,
      as: "questions",
      safetyClass: "question",
      question: "",
      content: [],
      choices: null,
      returnsInput: false,
      drawn: { by: "values" },
    },
  ],
  modes: {},
  noInterrupts: false,
};
