/** Connects one session to the hub, and relays its prompts and answers until it ends. */
import { readStopNote } from "../../../config/hub-notes.js";
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
import type { Adapter } from "../../../sdk/adapter.js";
import type { RemoteControls, TaskInput } from "../../../sdk/session-powers.js";
import { revealPrompt } from "../../../worker/detection/stamp.js";
import { HubLink, type LinkOwner } from "../../../worker/session/hub-link.js";
import { describeMissingHub, describeRelayProblem } from "../../../worker/session/link-problems.js";
import { Relay } from "../../../worker/session/relay.js";
import { TaskReceiver } from "../../../worker/session/task-receiver.js";
import { TypingReporter } from "../../../worker/session/typing-reporter.js";
import { toReply } from "../../../worker/session/wire-conversion.js";
import { Reach } from "../../../worker/session/reach.js";
import type { TitleMark } from "../../../worker/session/host/title-mark.js";
import { withTimeLimit } from "../../../observe/within.js";
import { SESSION_MARK } from "../../../model/session-mark.js";
import type { TerminalExit } from "../../../worker/process/terminal.js";
import type { Drafted } from "../../../../prompt-lab/record/draft.js";
import { consoleHandlers, type ConsoleService } from "../../../console/console-service.js";
import { HubLauncher } from "../../../client/connect/hub-launcher.js";
import { RelayTrouble } from "./relay-trouble.js";
import { ImpostorReporter } from "./impostor-reporter.js";
import { getProgramVersion } from "../../../observe/package-root.js";

export interface LinkOptions {
  /** `taskInput` is absent if people cannot give the tool tasks remotely. */
  readonly adapter: Adapter & { readonly remoteControls: RemoteControls; readonly taskInput?: TaskInput };
  /** Saves the screen as a scenario; absent or null if there is no screen. */
  readonly capture?: (() => Promise<Drafted>) | null;
  readonly console?: ConsoleService | null;
  readonly sessionId: SessionId;
  readonly paths: Paths;
  readonly tool: string;
  readonly options: {
    readonly label: string | null;
    readonly cwd: string;
    readonly command: readonly string[];
    readonly asksLittle?: boolean;
  };
  /** Called when a hub has the session, and when it is known that none is available for now. */
  readonly onReach?: (isReachable: boolean) => void;
  /** Called with the reason when open prompts reach nobody, and with null afterwards. Absent if no channel is configured. */
  readonly onUnreached?: ((problem: string | null) => void) | undefined;
  readonly mark?: TitleMark | null;
}

export interface SessionLink {
  /** Resolves when the hub has all results and the tool's exit status, or at once if no hub is expected. */
  end(exit: TerminalExit, resume?: string | null): Promise<void>;
  /** Why the session is not relayed any more, for its user after the tool has exited; null without a problem, and after `close`. */
  readonly problem: string | null;
  /** Prompts that reached nobody, for its user after the tool has exited; or null. Complete after `close`. */
  readonly unreached: string | null;
  readonly connected: boolean;
  typed(): void;
  /** Sends its people a text; resolves to the number of chats that accept it. Rejects as `HubLink.call` does, or if it takes too long. */
  notifyPeople(text: string): Promise<number>;
  /** Records an answer of a permission mode, and waits for a hub until `giveUp`. Rejects if it was not, or perhaps not, recorded. */
  recordDecision(decision: ParamsFor<HubCalls, "session.decided">, giveUp?: AbortSignal): Promise<unknown>;
  /** Waits for a hub. Errors: those of `HubLink.call`. */
  readonly call: HubLink["call"];
  close(): void;
}

/** Starting a hub takes a second or two, on a loaded machine ten times as long. */
const NOTICE_LIMIT_MS = 30_000;

const NOTHING_DRAWN = new AtlasBridgeError("ATB_USAGE", "this session has no screen to capture", {
  hint: "Only tools in a terminal can be captured.",
});

export function connectSession(options: LinkOptions): SessionLink {
  const { adapter, sessionId, paths, onReach, onUnreached } = options;
  const launcher = new HubLauncher(paths);
  const trouble = new RelayTrouble(paths, sessionId);
  const impostors = new ImpostorReporter(paths, sessionId);
  const findHubProblem = () => launcher.problem ?? impostors.problem;
  const link = new HubLink({
    ...impostors.approach,
    startHub: (pauseMs) => launcher.start(pauseMs),
    wasStopped: () => readStopNote(paths) !== null,
    session: buildIntroduction(options),
    clock: systemClock,
    random: systemRandom,
  });
  const typing = new TypingReporter(systemClock, link);
  const relay = new Relay({
    sessionId,
    adapter,
    hub: link,
    clock: systemClock,
    onTrouble: (error) => trouble.note(error),
    onReporting: () => typing.report(),
  });
  const tasks = new TaskReceiver({ hub: link, clock: systemClock, input: adapter.taskInput ?? null });
  const reach = onUnreached
    ? new Reach({
        clock: systemClock,
        describeMissingHub: () => describeMissingHub(link, findHubProblem()),
        openPrompts: () => relay.openPrompts,
        onChange: onUnreached,
      })
    : null;
  launcher.onFailed = () => link.connected || onReach?.(false);
  relay.start(() => reach?.check());
  link.start({
    listPrompts: () => relay.unsettledPrompts,
    handlers: createHandlers(options, { relay, tasks, reach }),
    onOpened: () => {
      launcher.noteRunning();
      onReach?.(true);
      impostors.report(link);
      relay.onConnected();
    },
    onState: (state) => {
      if (state === "refused") onReach?.(false);
      if (state === "lost") options.console?.noteHubLost();
    },
  });
  return {
    get problem() {
      return describeRelayProblem(link, findHubProblem()) ?? trouble.summary;
    },
    end: (exit, resume = null) =>
      closeSession({ link, relay, launcher, typing }, buildFarewell(sessionId, exit, resume)),
    get connected() {
      return link.connected;
    },
    typed: () => typing.noteTyping(relay.unsettledPrompts.length > 0),
    call: (method, params) => link.call(method, params, { whenConnectedOnce: true }),
    notifyPeople: (text) => sendNotice(link, text),
    recordDecision: (decision, giveUp) => recordDecision({ link, launcher }, decision, giveUp),
    get unreached() {
      return reach?.summary ?? null;
    },
    close: () => {
      reach?.close();
      link.close();
    },
  };
}

/** A caller that waits for the record stops waiting when the hub's start fails. */
function recordDecision(
  { link, launcher }: { readonly link: HubLink; readonly launcher: HubLauncher },
  ...[decision, giveUp]: Parameters<SessionLink["recordDecision"]>
): ReturnType<SessionLink["recordDecision"]> {
  const ends = giveUp && !link.connected ? AbortSignal.any([giveUp, launcher.failure]) : giveUp;
  return link.call("session.decided", decision, { whenConnectedOnce: true, giveUp: ends });
}

function createHandlers(
  { adapter, capture = null, console = null, mark }: LinkOptions,
  {
    relay,
    tasks,
    reach,
  }: { readonly relay: Relay; readonly tasks: TaskReceiver; readonly reach: Reach | null },
): LinkOwner["handlers"] {
  return {
    ...consoleHandlers(console),
    "reply.deliver": (params) => relay.takeReply(toReply(params)),
    "nonce.update": ({ promptId, nonceHash }) => {
      relay.updateNonce(asId<PromptId>(promptId), nonceHash);
      return {};
    },
    "prompt.again": ({ promptId, fingerprint }) => ({
      stands: adapter.remoteControls.askAgain(asId<PromptId>(promptId), asId<Fingerprint>(fingerprint)),
    }),
    "prompt.reveal": ({ promptId }) => {
      const event = relay.findEvent(asId<PromptId>(promptId));
      return { text: event && revealPrompt(event) };
    },
    "answers.halt": () => {
      for (const each of [relay, tasks, console]) each?.halt();
      return {};
    },
    "session.snapshot": () => adapter.snapshotContext(),
    "session.screen": () => ({
      ...adapter.remoteControls.screen(),
      cells: adapter.remoteControls.cells?.() ?? null,
    }),
    "session.interrupt": () => ({ problem: adapter.remoteControls.interrupt() }),
    "session.reach": (report) => {
      reach?.noteReach(report);
      return {};
    },
    "session.mark": ({ text }) => {
      mark?.note(text);
      return {};
    },
    "task.submit": (task) => tasks.take(task),
    "session.capture": () => captureScenario(capture),
  };
}

interface ClosedParts {
  readonly link: HubLink;
  readonly relay: Relay;
  readonly launcher: HubLauncher;
  readonly typing: TypingReporter;
}

async function closeSession(
  { link, relay, launcher, typing }: ClosedParts,
  farewell: ParamsFor<HubCalls, "session.close">,
): Promise<void> {
  // If a hub's start failed, none will be available within a moment.
  if (!link.expectsHub || (launcher.problem && !link.connected)) return;
  await relay.awaitFinished();
  typing.report();
  await link.call("session.close", farewell, { whenConnected: true });
}

async function sendNotice(link: HubLink, text: string): Promise<number> {
  const notice = { noticeId: systemRandom.uuid(), text };
  const sent = link.call("session.tell", notice, { whenConnected: true });
  const { places } = await withTimeLimit(sent, NOTICE_LIMIT_MS, systemClock, "no hub accepted it in time");
  return places;
}

type CapturedScenario = ResultOf<WorkerCalls, "session.capture">;

async function captureScenario(capture: LinkOptions["capture"]): Promise<CapturedScenario> {
  if (!capture) throw NOTHING_DRAWN;
  const { scenarioFile, recordingFile, told } = await capture();
  return { scenarioFile, recordingFile, toldAtMs: told?.atMs ?? null };
}

function buildIntroduction({
  adapter,
  sessionId,
  tool,
  options,
  console = null,
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
    capabilities: {
      ...adapter.capabilities,
      ...(console && { console: true }),
      ...(options.asksLittle && { asksLittle: true }),
    },
  };
}

function buildFarewell(
  sessionId: SessionId,
  { exitCode, signal, signalName }: TerminalExit,
  resume: string | null,
): ParamsFor<HubCalls, "session.close"> {
  const by = signalName ?? (signal === null ? null : String(signal));
  return { sessionId, exitCode, signal: by, ...(resume !== null && { resume }) };
}
