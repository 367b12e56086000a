/** Ctrl-Z: the tool and the session around it stop together, and continue together (ADR 8). */
import type { Terminal } from "../../process/terminal.js";
import type { HostTerminal } from "./host-terminal.js";
import type { JobHooks } from "./job-control.js";

/** From now on a stop of the tool stops us, and stop and continue signals that reach us reach the tool. */
export function stopTogether(
  host: Pick<HostTerminal, "suspend">,
  tool: Pick<Terminal, "kill" | "stop" | "onStop" | "wake">,
): JobHooks {
  tool.onStop(() => void host.suspend().then(() => tool.wake()));
  return {
    // Where a tool's stop would not be noticed, we stop without it: it blocks as soon as it has much output.
    onStopSignal: () => void (tool.stop() || host.suspend()),
    onContinued: () => void tool.kill("SIGCONT"),
  };
}
