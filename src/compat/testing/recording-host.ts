/** A hub for one channel: keeps updates, settings, health and log lines, and answers updates if told how. */
import type { PromptNotice } from "../../sdk/channel.js";
import { systemClock } from "../../observe/clock.js";
import type {
  Channel,
  ChannelHealth,
  ChannelHost,
  Clock,
  Inbound,
  Inbox,
  Overview,
} from "../../sdk/channel.js";

/** A line that the channel has logged. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The hub of one channel, and its inbox: it keeps what the channel stores, sets, reports and logs. Its clock is the machine's; waits are as long as they can be. */
export class RecordingHost implements ChannelHost, Inbox {
  /** Each time limit and wait that the channel asked of its clock, in ms. */
  readonly waits: number[] = [];
  readonly clock: Clock = {
    ...systemClock,
    after: (ms, act) => {
      this.waits.push(ms);
      this.onChange();
      return systemClock.after(ms, act);
    },
  };
  readonly settings: Map<string, string> = new Map();
  /** Key → raw update, in the order of arrival. What a disk would hold. */
  readonly updates: Map<string, unknown> = new Map();
  readonly health: ChannelHealth[] = [];
  readonly lines: LogLine[] = [];
  readonly refusals: { readonly place: string; readonly refusal: string | null }[] = [];
  readonly broadcasts: unknown[] = [];
  readonly steps: string[] = [];
  readonly written: string[] = [];
  /** The cards whose question is open, by delivery. */
  readonly open: Map<string, PromptNotice> = new Map();
  /** What people see who may; null for everybody while nothing is told. */
  view: (identity: string) => Overview | null = () => null;
  onUpdate: (raw: unknown) => void = () => undefined;
  /** Whether an update is kept; of strangers only some are. */
  keeps: (raw: unknown) => boolean = () => true;
  beforeStore: (key: string) => Promise<void> = () => Promise.resolve();
  beforeSet: () => void = () => undefined;
  onChange: () => void = () => undefined;

  async store(key: string, raw: unknown): Promise<boolean> {
    await this.beforeStore(key);
    this.steps.push(`store ${key}`);
    const fresh = this.keeps(raw) && !this.updates.has(key);
    // As from a database: what cannot be written as JSON is not there afterwards.
    if (fresh) this.updates.set(key, JSON.parse(JSON.stringify(raw)));
    if (fresh) this.onUpdate(this.updates.get(key));
    this.onChange();
    return fresh;
  }

  /** Waits are as long as they can be. */
  random(): number {
    return 1;
  }

  getSetting(key: string): string | null {
    return this.settings.get(key) ?? null;
  }

  setSetting(key: string, value: string): void {
    this.beforeSet();
    this.steps.push(`set ${key}`);
    this.settings.set(key, value);
    this.onChange();
  }

  wrote(place: string): void {
    this.written.push(place);
  }

  /** Deliveries of which the hub has no record. */
  readonly unknown: Set<string> = new Set();

  knows(deliveryId: string): boolean {
    return !this.unknown.has(deliveryId);
  }

  openNotice(deliveryId: string): PromptNotice | null {
    return this.open.get(deliveryId) ?? null;
  }

  overview(identity: string): Overview | null {
    return this.view(identity);
  }

  report(health: ChannelHealth): void {
    this.health.push(health);
    this.onChange();
  }

  reportPlace(place: string, refusal: string | null): void {
    this.refusals.push({ place, refusal });
    this.onChange();
  }

  log(level: string, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level, message, fields });
    this.onChange();
  }

  broadcast(payload: unknown): void {
    this.broadcasts.push(payload);
    this.onChange();
  }

  get state(): ChannelHealth["state"] | undefined {
    return this.health.at(-1)?.state;
  }

  get retries(): unknown[] {
    return this.lines
      .filter(({ message }) => message.endsWith("waits before retrying"))
      .map(({ fields }) => fields["waitMs"]);
  }

  meanings(channel: Channel): (Inbound | null)[] {
    return [...this.updates.values()].map((raw) => channel.interpret(raw));
  }

  spoken(): string {
    return JSON.stringify([this.lines, this.health, [...this.settings]]);
  }
}
