/** Wraps an adapter, and reports its events and the answers that it gets. */
import type { Adapter, AdapterEvent } from "../../../sdk/adapter.js";
import type { RemoteControls, TaskInput } from "../../../sdk/session-powers.js";
import { describeAdapterEvent, describeInjection, type SessionEvent } from "./session-events.js";

type Reportable = Adapter & { readonly remoteControls: RemoteControls; readonly taskInput?: TaskInput };

/** The tool of `adapter` must have been started. Use the result in its place. */
export function reportEvents(adapter: Reportable, report: (event: SessionEvent) => void): Reportable {
  return {
    capabilities: adapter.capabilities,
    remoteControls: adapter.remoteControls,
    ...(adapter.taskInput && { taskInput: adapter.taskInput }),
    startSession: (...start) => adapter.startSession(...start),
    readStream: () => adapter.readStream(),
    events: () => readReported(adapter, report),
    injectReply: async (reply, ...rest) => {
      const result = await adapter.injectReply(reply, ...rest);
      const event = describeInjection(reply.promptId, result);
      if (event) report(event);
      return result;
    },
    terminateSession: (sessionId) => adapter.terminateSession(sessionId),
    snapshotContext: () => adapter.snapshotContext(),
  };
}

export async function drainEvents({ events }: Pick<Adapter, "events">): Promise<void> {
  const reader = events()[Symbol.asyncIterator]();
  while ((await reader.next()).done !== true);
}

async function* readReported(
  adapter: Pick<Adapter, "events">,
  report: (event: SessionEvent) => void,
): AsyncGenerator<AdapterEvent> {
  for await (const event of adapter.events()) {
    report(describeAdapterEvent(event));
    yield event;
  }
}
