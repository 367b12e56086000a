/** One turn of a tool whose interface has a server of sessions in it, beside which we are: what was asked, and what became of it. */
import { systemClock } from "../../../src/observe/clock.js";
import type { PendingRequest } from "../../../src/worker/prompts/pending-request.js";
import type { ReplyPath } from "../../../src/worker/prompts/reply-path.js";
import { OpenCodeAttachment } from "../../../src/worker/integrations/opencode/attachment.js";
import type { Login } from "../../../src/worker/loopback/loopback-client.js";
import { shippedAdapter } from "../../unit/worker/detection/screens.js";
import type { Exchange } from "./session-exchange.js";

export interface JoinedExchange extends Pick<Exchange, "tool" | "version" | "about" | "asked" | "exchange"> {
  readonly answers: readonly { readonly value: string; readonly text?: string }[];
  /** What became of each: of our answer its delivery, of a question that was answered elsewhere why it was gone. */
  readonly ends: readonly string[];
}

export interface JoinedSession extends Pick<JoinedExchange, "asked" | "ends"> {
  readonly close: () => void;
}

interface Options extends Pick<JoinedExchange, "answers"> {
  readonly leader: number;
  readonly cwd: string;
  readonly login: Login;
}

/** Joins, and answers as it is told to. */
export function joinSession({ answers, leader, cwd, login }: Options): JoinedSession {
  const { coattach } = shippedAdapter("opencode");
  if (coattach?.speaks !== "session_server") throw new Error("opencode cannot be joined");
  const asked: Exchange["asked"][number][] = [];
  const ends: string[] = [];
  const onRequest = (ask: PendingRequest, call: ReplyPath): void => {
    const at = asked.length;
    const { question, content, choices } = ask.prompt;
    asked.push({ question, text: content.text, choices: choices.map(({ label }) => label) });
    call.onEnd((why) => (ends[at] = why));
    const answer = answers[at];
    const decided = answer && ask.answer(answer);
    if (!decided || !("result" in decided)) throw new Error("there is no such answer");
    void call.answer(decided.result).then((delivery) => (ends[at] = delivery));
  };
  const join = new OpenCodeAttachment(
    {
      clock: systemClock,
      cwd,
      getLeader: () => leader,
      getDeclared: () => undefined,
      onTurnEnd: () => undefined,
      onRequest,
    },
    { login, drawn: coattach.drawn },
  );
  return { asked, ends, close: () => join.close() };
}
