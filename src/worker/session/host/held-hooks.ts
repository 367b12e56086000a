/** Keeps what a terminal reports between its take-over and the session that handles it. */
import type { TerminalSize } from "../../process/terminal.js";
import type { EndSignal, HostHooks, PassedSignal } from "./host-hooks.js";

type Report = (hooks: HostHooks) => void;

/** Reports wait, in order, until `release` names who handles them; from then on they are passed on at once. */
export class HeldHooks implements HostHooks {
  readonly #held: Report[] = [];
  #target: HostHooks | null = null;

  release(target: HostHooks): void {
    this.#target = target;
    for (const report of this.#held.splice(0)) report(target);
  }

  onInput(chunk: Uint8Array): void {
    this.#pass((hooks) => hooks.onInput(chunk));
  }

  onInputEnd(): void {
    this.#pass((hooks) => hooks.onInputEnd());
  }

  onResize(size: TerminalSize): void {
    this.#pass((hooks) => hooks.onResize(size));
  }

  onEndSignal(signal: EndSignal): void {
    this.#pass((hooks) => hooks.onEndSignal(signal));
  }

  onPassedSignal(signal: PassedSignal): void {
    this.#pass((hooks) => hooks.onPassedSignal(signal));
  }

  onOutputLost(): void {
    this.#pass((hooks) => hooks.onOutputLost());
  }

  onStopSignal(): void {
    this.#pass((hooks) => hooks.onStopSignal());
  }

  onContinued(): void {
    this.#pass((hooks) => hooks.onContinued());
  }

  #pass(report: Report): void {
    if (this.#target) report(this.#target);
    else this.#held.push(report);
  }
}
