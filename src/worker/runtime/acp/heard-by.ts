/** Whether an agent has read what it was sent last. */
import type { Clock } from "../../../model/clock.js";
import type { AgentSession } from "./agent-session.js";
import type { Hearing } from "../question-desk.js";

/** An agent that lives has read what it was sent, and says so, long before; on a loaded machine it takes a second or two. */
export const HEARD_WITHIN_MS = 10_000;

/** An agent answers in order: whoever has answered what came later has read the decision. */
export async function heardBy(
  session: Pick<AgentSession, "messages" | "ping">,
  exited: Promise<unknown>,
  clock: Clock,
): Promise<Hearing> {
  const before = session.messages;
  const spoke = (otherwise: Hearing): Hearing => (session.messages > before ? "heard" : otherwise);
  let stopTimer = (): void => undefined;
  const late = new Promise<Hearing>((resolve) => {
    stopTimer = clock.after(HEARD_WITHIN_MS, () => resolve(spoke("silent")));
  });
  const read = session.ping().then(
    (): Hearing => "heard",
    () => spoke("gone"),
  );
  const hearing = await Promise.race([read, exited.then(() => spoke("gone")), late]);
  stopTimer();
  return hearing;
}
