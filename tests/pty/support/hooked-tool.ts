/** A tool in a terminal that calls us, as a run with hooks has it. */
import { resolve } from "node:path";
import { asId, type Identity, type Nonce, type PromptId, type ReplyId } from "../../../src/model/ids.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { AdapterEvent, InjectionGate, InjectionResult } from "../../../src/sdk/adapter.js";
import { LoopbackPort } from "../../../src/worker/loopback/loopback-port.js";
import { createSideChannel } from "../../../src/worker/integrations/create-side-channel.js";
import type { HookAccess } from "../../../src/worker/integrations/hooks/hook-listener.js";
import type { ComparedReading } from "../../../src/worker/runtimes/terminal/joined/reading-watch.js";
import { PtyAdapter } from "../../../src/worker/runtimes/terminal/pty-adapter.js";
import { ptyOptions } from "../../support/pty-options.js";
import { shippedAdapter } from "../../unit/worker/detection/screens.js";

const SECRET = "s3cret";
const ends: (() => Promise<void>)[] = [];

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}

export async function startHooked(
  shown: string,
  told: string,
  agentName = "asks-by-hook",
  ...more: readonly string[]
) {
  const loopback = await LoopbackPort.open();
  const options = ptyOptions(shippedAdapter("claude"));
  const hookAccess: HookAccess = { loopback, secret: SECRET, callers: "tool" };
  const compared: ComparedReading[] = [];
  const adapter = new PtyAdapter({
    ...options,
    onCompared: (reading) => compared.push(reading),
    sideChannel: createSideChannel({ ...options, hookAccess }),
  });
  const agent = resolve(`tests/fixtures/agents/${agentName}.mjs`);
  await adapter.startSession([
    process.execPath,
    agent,
    `http://127.0.0.1:${loopback.port}/`,
    SECRET,
    shown,
    told,
    ...more,
  ]);
  ends.push(async () => {
    adapter.session.terminal.kill("SIGKILL");
    await adapter.session.exited;
    loopback.close();
  });
  const events = adapter.events()[Symbol.asyncIterator]();
  const next = async (): Promise<Exclude<AdapterEvent, { kind: "state" }>> => {
    for (;;) {
      const event = (await events.next()).value as AdapterEvent;
      if (event.kind !== "state") return event;
    }
  };
  const raised = async (): Promise<PromptEvent> => {
    const event = await next();
    if (event.kind !== "raised") throw new Error(`not raised, but ${JSON.stringify(event)}`);
    return event.event;
  };
  return { adapter, next, raised, compared };
}

export function answer(
  adapter: PtyAdapter,
  { promptId, sessionId }: PromptEvent,
  value: string,
  gate: InjectionGate = () => Promise.resolve(),
  text?: string,
): Promise<InjectionResult> {
  const reply = {
    replyId: asId<ReplyId>("r1"),
    promptId: asId<PromptId>(promptId),
    sessionId,
    value,
    ...(text !== undefined && { text }),
    nonce: asId<Nonce>("n"),
    channelIdentity: asId<Identity>("cli:local"),
    timestamp: "2026-01-01T00:00:00.000Z",
    newlinePolicy: "append" as const,
  };
  return adapter.injectReply(reply, gate);
}

export async function shows(adapter: PtyAdapter, text: string): Promise<void> {
  while (!adapter.remoteControls.screen().text?.includes(text))
    await new Promise((look) => setTimeout(look, 10));
}
