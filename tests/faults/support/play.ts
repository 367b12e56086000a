/** Plays rounds: a question is asked, a person taps, something breaks at a named step, the person goes on until it is answered. */
import { isAlive } from "../../support/rig/processes.js";
import type { Card } from "../../support/rig/phone.js";
import type { Asked } from "./agent-log.js";
import type { FaultRig, Session } from "./fault-rig.js";
import { forgetStop, giveOrder, heldAt, planStop, type Order } from "./orders.js";
import type { FaultKind, Round } from "./plan.js";

/** One tap of the person, and what they were told at once; null: nothing, the line was down. */
export interface Tap {
  readonly at: number;
  readonly logged: number;
  readonly card: Card;
  readonly job: string;
  readonly row: string;
  /** Came when another was under way: it must not win. */
  readonly isSecond: boolean;
  told: string | null;
}

/** A person who sees nothing happen for so long taps once more. */
const TAP_AGAIN_MS = 4_000;
/** A question or a card that is not over by then is stuck, on any machine. */
const STUCK_MS = 60_000;
const LOOK_EVERY_MS = 10;
/** Never the row that is highlighted first. */
const ROWS = ["Do Alpha", "Do Beta", "Do Gamma"] as const;

export class Play {
  readonly taps: Tap[] = [];
  /** Rounds whose fault struck, by step. */
  readonly struck: Round[] = [];
  readonly #rig: FaultRig;
  #spread = 0;

  constructor(rig: FaultRig) {
    this.#rig = rig;
  }

  /** Over when the fault has struck and the question of that time is answered or its session has ended. */
  async round(round: Round): Promise<void> {
    const { faults } = this.#rig;
    planStop(faults, round.step);
    const session = this.#rig.session();
    const begun = Date.now();
    let first: Asked | null = null;
    let hasStruck = false;
    for (;;) {
      const held = hasStruck ? null : heldAt(faults, round.step);
      if (held !== null) {
        hasStruck = true;
        await this.#strike(round, held);
        this.struck.push(round);
      }
      const { open, hasEnded } = session.log;
      first ??= open;
      const isOver = hasEnded || (first !== null && open !== null && open.id > first.id);
      if (hasStruck && isOver) return;
      if (open) this.#tapFor(session, open);
      if (hasEnded || Date.now() - begun > STUCK_MS) break;
      await pause(LOOK_EVERY_MS);
    }
    forgetStop(faults, round.step);
    if (!session.log.hasEnded)
      throw new Error(
        `${round.fault} at ${round.step}: stuck; struck: ${hasStruck}; asked: ${JSON.stringify(session.log.open)}\n` +
          `${session.run.terminal.screen}\n${this.#rig.phone.cards
            .slice(-3)
            .map(({ text }) => text)
            .join("\n---\n")}`,
      );
  }

  /** Waits until every card says what became of it, but those of questions that still stand. */
  async settle(): Promise<void> {
    for (const end = Date.now() + STUCK_MS; Date.now() < end;) {
      const standing = this.#rig.sessions.flatMap(({ log }) => log.open?.job ?? []);
      const open = this.#rig.phone.cards.filter(({ buttons }) => buttons.length > 0);
      if (open.every((card) => standing.some((job) => isAbout(card, job)))) return;
      await pause(50);
    }
  }

  #tapFor({ run, log }: Session, { job }: Asked): void {
    const now = Date.now();
    for (const card of run.cards) {
      if (card.buttons.length === 0 || !isAbout(card, job)) continue;
      if (this.taps.some((tap) => tap.card.id === card.id && now - tap.at < TAP_AGAIN_MS)) continue;
      this.#tap(card, job, log.entries.length);
    }
  }

  #tap(card: Card, job: string, logged: number): void {
    const earlier = this.taps.find((tap) => tap.job === job);
    const row = earlier?.row ?? ROWS[this.#spread++ % ROWS.length] ?? ROWS[0];
    this.#press({ at: Date.now(), logged, card, job, row, isSecond: false, told: null });
  }

  #tapAnother(): void {
    const tap = this.taps.findLast(({ isSecond }) => !isSecond);
    const row = ROWS.find((other) => other !== tap?.row);
    if (tap && row && tap.card.buttons.length > 0)
      this.#press({ ...tap, at: Date.now(), row, isSecond: true, told: null });
  }

  #press(tap: Tap): void {
    const { card, row } = tap;
    this.taps.push(tap);
    const button = card.buttons.findIndex((label) => label.includes(row)) + 1;
    card.press(button).then(
      (told) => (tap.told = told),
      () => undefined,
    );
  }

  async #strike({ step, fault }: Round, held: number): Promise<void> {
    const order = await this.#doOutside(fault, held);
    const { faults } = this.#rig;
    if (order !== null) giveOrder(faults, step, order);
    // The next round may stop somebody at the same step: this one must be over.
    while (heldAt(faults, step) !== null && isAlive(held)) await pause(LOOK_EVERY_MS);
    forgetStop(faults, step);
  }

  /** Does what the suite can do; returns what the stopped process is to do itself, null where it is dead. */
  async #doOutside(fault: FaultKind, held: number): Promise<Order | null> {
    const rig = this.#rig;
    switch (fault) {
      case "kill_hub":
      case "kill_worker":
        return this.#killOne(fault, held);
      case "disk_full":
        rig.diskFull();
        return "go";
      case "database_busy":
        rig.databaseBusy();
        return "go";
      case "chat_outage":
        await rig.chatOutage();
        return "go";
      case "twin":
      case "other":
        await this.#replaceQuestion(fault);
        return "go";
      case "second_tap":
        this.#tapAnother();
        return "go";
      case "cut":
      case "clock_forward":
      case "clock_back":
        return fault;
    }
  }

  async #killOne(fault: "kill_hub" | "kill_worker", held: number): Promise<Order | null> {
    const rig = this.#rig;
    const worker = rig.workerPid();
    const heldIsWorker = worker === held;
    const victim = fault === "kill_worker" ? worker : heldIsWorker ? await rig.hubPid() : held;
    if (victim === null) return "go";
    rig.kill(victim);
    return victim === held ? null : "go";
  }

  /** Goes on when the new question stands. */
  async #replaceQuestion(fault: "twin" | "other"): Promise<void> {
    const log = this.#rig.sessions.at(-1)?.log;
    const before = log?.open;
    const agent = log?.pid ?? null;
    if (!log || !before || agent === null) return;
    process.kill(agent, fault === "twin" ? "SIGUSR1" : "SIGUSR2");
    const isAsked = (): boolean => (log.open?.id ?? 0) > before.id;
    while (!log.hasEnded && !isAsked()) await pause(LOOK_EVERY_MS);
  }
}

export function isAbout(card: Card, job: string): boolean {
  return new RegExp(`job ${job}(?!\\d)`).test(card.text);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
