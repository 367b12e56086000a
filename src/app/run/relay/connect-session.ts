/** Connects one session to the hub: the link, the relay over it, and the orderly end. */
import type { Paths } from "../../../config/paths.js";
import { AtlasBridgeError } from "../../../model/errors.js";
import { asId, type Fingerprint, type PromptId, type SessionId } from "../../../model/ids.js";
import { systemClock } from "../../../observe/clock.js";
import { readProcessStartTime } from "../../../observe/process-life.js";
import { systemRandom } from "../../../observe/random.js";
import {
  PROTOCOL_VERSION,
  type HubCalls,
  type ParamsFor,
  type ResultOf,
  type WorkerCalls,
} from "../../../wire/messages.js";
import { createRejection } from "../../../model/answer/rejection.js";
import type { Adapter, InjectionResult } from "../../../sdk/adapter.js";
import type { RemoteControls, TaskInput } from "../../../sdk/session-powers.js";
import { revealPrompt } from "../../../worker/detection/stamp.js";
import { HubLink, type HubLinkOptions } from "../../../worker/session/hub-link.js";
import { Relay } from "../../../worker/session/relay.js";
import { TaskReceiver } from "../../../worker/session/task-receiver.js";
import { TypingReporter } from "../../../worker/session/typing-reporter.js";
import { toReply } from "../../../worker/session/wire-conversion.js";
import { UnreachedPrompts } from "../../../worker/session/unreached-prompts.js";
import { withTimeLimit } from "../../../observe/within.js";
import { SESSION_MARK } from "../../../model/session-mark.js";
import type { TerminalExit } from "../../../worker/process/terminal.js";
import type { Capturer } from "../../../lab/capture-prompts.js";
import { HubStarts } from "../../../client/connect/starts.js";
import { RelayTrouble } from "./relay-trouble.js";
import { Impostors } from "./suspects.js";
import { getProgramVersion } from "../../../observe/program-version.js";

export interface LinkOptions {
  /** `taskInput` is absent if people cannot give the tool tasks remotely. */
  readonly adapter: Adapter & { readonly remoteControls: RemoteControls; readonly taskInput?: TaskInput };
  /** Null if nothing is drawn that could be captured as a scenario. */
  readonly capturer: Capturer | null;
  readonly sessionId: SessionId;
  readonly paths: Paths;
  readonly tool: string;
  readonly options: {
    readonly label: string | null;
    readonly cwd: string;
    readonly command: readonly string[];
  };
  /** Called when a hub has the session, and when it is known that none is available for now. */
  readonly onReach?: (isReachable: boolean) => void;
  /**
   * Called with the reason when open prompts reach nobody, and with null when they do again. Absent if no channel is
   * configured, because nobody expects one.
   */
  readonly onUnreached?: ((problem: string | null) => void) | undefined;
}

export interface SessionLink {
  /** Resolves when the hub has all results and the tool's exit status, or at once if no hub is expected. */
  end(exit: TerminalExit): Promise<void>;
  /** Why the session is no longer relayed, for its user after the tool has exited; null while all is well, and after `close`. */
  readonly problem: string | null;
  /** Prompts that reached nobody, for its user after the tool has exited; or null. Complete after `close`. */
  readonly unreached: string | null;
  /** A hub has the session now. */
  readonly connected: boolean;
  /** A person typed at this session's terminal. */
  typed(): void;
  /**
   * Sends its people a text; resolves to the number of chats that accept it. Errors: those of `HubLink.call`; ours if it takes
   * too long.
   */
  notifyPeople(text: string): Promise<number>;
  /**
   * Records what a permission mode answers, once a hub is available; waits for one until `giveUp`. Rejects if it was not or
   * perhaps not recorded.
   */
  recordDecision(decision: ParamsFor<HubCalls, "session.decided">, giveUp?: AbortSignal): Promise<unknown>;
  close(): void;
}

/** Printed after the tool has exited; until then the terminal belongs to the tool. */
const TOO_OLD =
  "this session was no longer relayed: its AtlasBridge is too old for the new hub. Restart the tool to have it relayed.";

/** Starting a hub takes a second or two, on a loaded machine ten times as long. */
const NOTICE_LIMIT_MS = 30_000;

const NOTHING_DRAWN = new AtlasBridgeError("ATB_USAGE", "this session has no screen to capture", {
  hint: "Only tools in a terminal can be captured.",
});

const NO_COMPOSER: InjectionResult = {
  kind: "refused",
  rejection: createRejection("no_composer"),
  stillAsked: false,
};

export function connectSession(options: LinkOptions): SessionLink {
  const { adapter, sessionId, paths, onReach = () => undefined } = options;
  const starts = new HubStarts(paths, () => {
    if (!link.connected) onReach(false);
  });
  const trouble = new RelayTrouble(paths, sessionId);
  const suspects = new Impostors(paths, sessionId);
  let opened = false;
  const link: HubLink = new HubLink({
    ...suspects.approach,
    startHub: (pauseMs) => starts.start(pauseMs),
    session: buildIntroduction(options),
    handlers: createHandlers(options, () => ({ relay, tasks, unreached })),
    onOpened: () => {
      opened = true;
      starts.noteRunning();
      onReach(true);
      suspects.report(link);
      relay.onReconnected();
    },
    onState: (state) => {
      if (state === "refused") onReach(false);
    },
    clock: systemClock,
    random: systemRandom,
  });
  const relay = new Relay({
    sessionId,
    adapter,
    hub: link,
    clock: systemClock,
    onTrouble: (error) => trouble.note(error),
    onRaised: (promptId) => options.onUnreached && unreached.noteRaised(promptId),
    onRaising: () => typing.report(),
  });
  const unreached = new UnreachedPrompts({
    clock: systemClock,
    linkProblem: () => describeWait(link, starts.problem ?? suspects.problem),
    openPrompts: () => relay.openPrompts,
    onChange: (problem) => options.onUnreached?.(problem),
  });
  const typing = new TypingReporter(systemClock, link);
  const tasks = new TaskReceiver({
    hub: link,
    clock: systemClock,
    submit: (text, gate, halt) => adapter.taskInput?.submit(text, gate, halt) ?? Promise.resolve(NO_COMPOSER),
  });
  relay.start();
  link.start();
  return {
    get problem() {
      return describeProblem(link, starts.problem ?? suspects.problem, opened) ?? trouble.summary;
    },
    end: (exit) => closeSession({ link, relay, starts }, buildFarewell(sessionId, exit)),
    get connected() {
      return link.connected;
    },
    typed: () => typing.noteTyping(relay.isAsking),
    notifyPeople: (text) => sendNotice(link, text),
    recordDecision: (decision, giveUp) => recordDecision({ link, starts }, decision, giveUp),
    get unreached() {
      return unreached.summary;
    },
    close: () => {
      unreached.close();
      link.close();
    },
  };
}

/** A caller that waits for the record stops waiting when the hub's start fails. */
function recordDecision(
  { link, starts }: { readonly link: HubLink; readonly starts: HubStarts },
  ...[decision, giveUp]: Parameters<SessionLink["recordDecision"]>
): ReturnType<SessionLink["recordDecision"]> {
  const ends = giveUp && !link.connected ? AbortSignal.any([giveUp, starts.failure]) : giveUp;
  return link.call("session.decided", decision, { whenConnectedOnce: true, giveUp: ends });
}

/** The hub's calls to this session. `parts` exist once the link does that delivers the calls. */
function createHandlers(
  { adapter, capturer }: LinkOptions,
  parts: () => { readonly relay: Relay; readonly tasks: TaskReceiver; readonly unreached: UnreachedPrompts },
): HubLinkOptions["handlers"] {
  return {
    "reply.deliver": (params) => parts().relay.takeReply(toReply(params)),
    "nonce.update": ({ promptId, nonceHash }) => {
      parts().relay.updateNonce(asId<PromptId>(promptId), nonceHash);
      return {};
    },
    "prompt.again": ({ promptId, fingerprint }) => ({
      stands: adapter.remoteControls.askAgain(asId<PromptId>(promptId), asId<Fingerprint>(fingerprint)),
    }),
    "prompt.reveal": ({ promptId }) => {
      const event = parts().relay.findEvent(asId<PromptId>(promptId));
      return { text: event && revealPrompt(event) };
    },
    "answers.halt": () => {
      const { relay, tasks } = parts();
      for (const each of [relay, tasks]) each.halt();
      return {};
    },
    "session.snapshot": () => adapter.snapshotContext(),
    "session.screen": () => ({
      ...adapter.remoteControls.screen(),
      cells: adapter.remoteControls.cells?.() ?? null,
    }),
    "session.interrupt": () => ({ problem: adapter.remoteControls.interrupt() }),
    "session.reach": (reach) => {
      parts().unreached.noteReach(reach);
      return {};
    },
    "task.submit": (task) => parts().tasks.take(task),
    "session.capture": () => captureScenario(capturer),
  };
}

async function closeSession(
  { link, relay, starts }: { readonly link: HubLink; readonly relay: Relay; readonly starts: HubStarts },
  farewell: ParamsFor<HubCalls, "session.close">,
): Promise<void> {
  // If a hub's start failed, none will be available within a moment.
  if (!link.expectsHub || (starts.problem && !link.connected)) return;
  await relay.finished();
  await link.call("session.close", farewell, { whenConnected: true });
}

/** Why no hub has the session now; null while one has it. */
function describeWait(link: HubLink, problem: AtlasBridgeError | null): string | null {
  if (link.connected) return null;
  if (link.state === "refused") return "the hub is too new for this program";
  if (!link.expectsHub) return "the hub was stopped";
  return problem?.message ?? link.openProblem ?? "no hub has the session";
}

function describeProblem(link: HubLink, problem: AtlasBridgeError | null, opened: boolean): string | null {
  if (link.state === "refused")
    return link.refusal?.code === "ATB_HUB_REFUSED" ? describeRefusal(link) : TOO_OLD;
  if (!problem || link.connected) return null;
  const since = opened ? "this session was no longer relayed" : "nothing was relayed";
  return `${since}: ${problem.message} ${problem.hint}`.trimEnd();
}

function describeRefusal({ refusal }: HubLink): string {
  return `this session was not relayed: the hub refused it (${refusal?.message ?? "no reason given"}).`;
}

async function sendNotice(link: HubLink, text: string): Promise<number> {
  const notice = { noticeId: systemRandom.uuid(), text };
  const told = link.call("session.tell", notice, { whenConnected: true });
  const { places } = await withTimeLimit(told, NOTICE_LIMIT_MS, systemClock, "no hub accepted it in time");
  return places;
}

async function captureScenario(capturer: Capturer | null): Promise<ResultOf<WorkerCalls, "session.capture">> {
  if (!capturer) throw NOTHING_DRAWN;
  const { scenarioFile, recordingFile, told } = await capturer.capture();
  return { scenarioFile, recordingFile, toldAtMs: told?.atMs ?? null };
}

function buildIntroduction({
  adapter,
  sessionId,
  tool,
  options,
}: LinkOptions): ParamsFor<HubCalls, "session.open"> {
  return {
    protocol: PROTOCOL_VERSION,
    version: getProgramVersion(),
    sessionId,
    tool,
    label: options.label,
    cwd: options.cwd,
    command: [...options.command],
    pid: process.pid,
    pidStartTime: readProcessStartTime(process.pid),
    startedAt: systemClock.now(),
    inside: process.env[SESSION_MARK] || null,
    capabilities: { ...adapter.capabilities },
  };
}

function buildFarewell(
  sessionId: SessionId,
  { exitCode, signal, signalName }: TerminalExit,
): ParamsFor<HubCalls, "session.close"> {
  return { sessionId, exitCode, signal: signalName ?? (signal === null ? null : String(signal)) };
}
