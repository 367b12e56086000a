/** A Slack channel on its line to the emulator, and rivals on the same app. */
import { WebSocket } from "undici";
import { afterEach } from "vitest";
import type { SlackTiming } from "../../../../../channels/slack/limits.js";
import type { ChannelHealth } from "../../../../../src/sdk/channel.js";
import type { DeliveryRef } from "../../../../../src/sdk/delivery-ref.js";
import { promptNotice } from "../../../../../src/compat/testing/notices.js";
import { openSlack, type SlackBench } from "../../../../contract/channel/slack-bench.js";
import type { EmulatorOptions } from "../../../../support/slack/emulator.js";

/** `bench` is that of the test that runs; `start` opens it. */
export class Line {
  bench!: SlackBench;
  readonly rivals: WebSocket[] = [];

  readonly start = async (
    timing: Partial<SlackTiming> = {},
    options: EmulatorOptions = {},
  ): Promise<void> => {
    this.bench = await openSlack(timing, options);
    await this.bench.channel.start(this.bench.host);
  };

  readonly gateway = () => this.bench.slack.world.gateway;
  readonly connections = (): number => this.gateway().connections.length;
  readonly until = (probe: () => boolean, what: string): Promise<void> => this.bench.until(probe, what);
  readonly connected = (): Promise<void> =>
    this.until(() => this.bench.host.state === "connected", "a connection");
  readonly states = (): ChannelHealth["state"][] => this.bench.host.health.map(({ state }) => state);
  readonly health = (state: string): Promise<void> =>
    this.until(() => this.bench.host.state === state, state);
  readonly last = (): ChannelHealth | undefined => this.bench.host.health.at(-1);
  readonly received = (count: number): Promise<void> =>
    this.until(() => this.bench.host.updates.size >= count, `${count} updates`);
  readonly deliver = (): Promise<DeliveryRef> => this.bench.channel.deliver(promptNotice(this.bench.place));
  readonly texts = (): unknown[] =>
    this.bench.host
      .meanings(this.bench.channel)
      .flatMap((meaning) => (meaning?.kind === "text" ? [meaning.text] : []));

  /** Another program on the same app. */
  readonly rival = async (): Promise<WebSocket> => {
    const response = await fetch(`${this.bench.slack.apiUrl}apps.connections.open`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.bench.slack.appToken}` },
    });
    const { url } = (await response.json()) as { url: string };
    const before = this.connections();
    const client = new WebSocket(url);
    this.rivals.push(client);
    await this.until(() => this.connections() > before, "the rival");
    return client;
  };
}

export function useLine(): Line {
  const line = new Line();
  afterEach(async () => {
    for (const rival of line.rivals.splice(0)) rival.close();
    await line.bench.stop();
  });
  return line;
}
