/** A hub core that knows no prompts: for tests of what lies in front of it. */
import type { HubService } from "../../src/hub/serve/hub-service.js";
import { HUB_CALLS, PROTOCOL_VERSION } from "../../src/wire/messages.js";

export interface EmptyCore extends HubService {
  readonly log: string[];
  broadcast(payload: unknown): void;
}

export function emptyCore(overrides: Partial<HubService["handlers"]> = {}): EmptyCore {
  const log: string[] = [];
  const listeners = new Set<(payload: unknown) => void>();
  const refuse = (): never => {
    throw new Error("the empty core knows no prompts");
  };
  return {
    log,
    broadcast: (payload) => listeners.forEach((listener) => listener(payload)),
    handlers: {
      ...(Object.fromEntries(
        Object.keys(HUB_CALLS).map((method) => [method, refuse]),
      ) as unknown as HubService["handlers"]),
      "session.open": ({ sessionId }) => {
        log.push(`open ${sessionId}`);
        return { protocol: PROTOCOL_VERSION, version: "0.0.0", places: [], draining: false };
      },
      "session.state": ({ sessionId, state }) => {
        log.push(`state ${sessionId} ${state}`);
        return {};
      },
      "session.close": ({ sessionId }) => {
        log.push(`close ${sessionId}`);
        return {};
      },
      "prompt.history": refuse,
      "hub.status": () => ({
        pid: process.pid,
        version: "0.0.0",
        protocol: PROTOCOL_VERSION,
        startedAt: new Date(0).toISOString(),
        sessions: 0,
        openPrompts: 0,
        unanswered: [],
        paused: false,
        unreached: null,
        disk: { usedBytes: 0, limitBytes: 1, full: false },
        channels: [],
      }),
      "relay.check": () => ({ channels: [], problem: null, isPending: false }),
      "hub.pause": ({ paused }) => {
        log.push(paused ? "pause" : "resume");
        return {};
      },
      "hub.reload": () => ({ changed: [], channels: [] }),
      "channel.trust": () => ({ address: null, confirmed: true }),
      "prompts.list": () => [],
      "sessions.list": () => [],
      "prompt.answer": () => ({
        claimed: false,
        promptId: null,
        rejection: { code: "unknown_prompt", text: "There is no such open prompt." },
      }),
      ...overrides,
    },
    connected: (sessionId) => void log.push(`connected ${sessionId}`),
    listRunning: () => [],
    admission: {
      listWorkers: () => [],
      findProcess: () => null,
      isOpen: () => false,
      record: ({ step, details }) => void log.push(`${step} ${JSON.stringify(details)}`),
      highestMark: -1,
      noteMark: () => undefined,
    },
    disconnected: (sessionId) => void log.push(`disconnected ${sessionId}`),
    workerTooOld: (sessionId, version) => void log.push(`outgrown ${sessionId} ${version}`),
    drain: () => {
      log.push("drain");
      return Promise.resolve();
    },
    onWatch: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isIdle: () => true,
    stop: () => {
      log.push("stop");
      return Promise.resolve();
    },
  };
}

export function openParams(sessionId: string, protocol: number = PROTOCOL_VERSION) {
  return {
    protocol,
    version: "0.0.0",
    sessionId,
    tool: "bash",
    label: null,
    cwd: "/",
    command: ["bash"],
    // It runs for certain; were it ours, the commands that a test starts would be those of a supervised tool.
    pid: 1,
    pidStartTime: null,
    startedAt: 0,
    inside: null,
    capabilities: {
      chatTurns: false,
      screenView: false,
    },
  };
}
