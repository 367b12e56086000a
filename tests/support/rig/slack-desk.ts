/** Slack on Ara's desk, beside her phone: the cards that came to the channel, and a mouse. */
import { startSlack, type Message, type SlackEmulator, type User } from "../slack/emulator.js";
import { readable } from "../slack/conversations.js";
import type { GatewayTiming } from "../slack/gateway.js";
import { withRig, type Rig, type RigOptions } from "./rig.js";

/** Gives a test a rig of its own whose person has Slack, too, and takes both away whatever happens. */
export async function withSlack(
  work: (rig: Rig, desk: SlackDesk) => Promise<void>,
  { timing, ...options }: RigOptions & { readonly timing?: Partial<GatewayTiming> } = {},
): Promise<void> {
  const desk = await SlackDesk.open(timing);
  try {
    await withRig((rig) => work(rig, desk), { ...options, ...desk.rigOptions });
  } finally {
    await desk.slack.stop();
  }
}

export class SlackDesk {
  readonly slack: SlackEmulator;
  readonly ara: User;
  readonly place: string;

  private constructor(slack: SlackEmulator) {
    this.slack = slack;
    this.ara = slack.user("U0ARA", "Ara");
    this.place = slack.channel("C0WORK", [this.ara]);
  }

  static async open(timing: Partial<GatewayTiming> = {}): Promise<SlackDesk> {
    // A hub that is killed and started again several times in a minute is no habit of people.
    return new SlackDesk(await startSlack({ rates: null, timing }));
  }

  /** What a rig needs to know of it. */
  get rigOptions(): RigOptions {
    const { appToken: app_token, botToken: bot_token, apiUrl: api_url } = this.slack;
    return {
      channels: { slack: { app_token, bot_token, api_url, deliver_to: [this.place] } },
      identities: ["slack:T0TEAM/U0ARA"],
    };
  }

  /** The nth question (1-based) of the session with this label. */
  card(label: string, nth = 1): Promise<Message> {
    const find = (): Message | undefined =>
      this.cards.filter((card) => readable(card.blocks).includes(`${label} · `))[nth - 1];
    return this.slack.waitFor(find, `card ${nth} of ${label} in Slack`);
  }

  get cards(): readonly Message[] {
    return this.slack.posts(this.place).filter(({ broadcast }) => broadcast);
  }

  get files(): readonly Message[] {
    return this.slack.files(this.place);
  }

  /** The first file of that name. */
  file(name: string): Promise<Buffer> {
    const find = (): Buffer | undefined => this.files.find(({ file }) => file?.name === name)?.file?.data;
    return this.slack.waitFor(find, `${name} in Slack`);
  }

  /** The card as it is now. */
  current({ channel, ts }: Message): Message {
    const card = this.slack.messages(channel).find((message) => message.ts === ts);
    if (!card) throw new Error(`card ${ts} is gone`);
    return card;
  }

  shown(card: Message): string {
    return readable(this.current(card).blocks);
  }

  /** The labels of its buttons. */
  buttons(card: Message): readonly string[] {
    return [...this.shown(card).matchAll(/\[([^\][]+)\]/g)].map(([, label = ""]) => label);
  }

  /** The first line once it shows that. */
  async shows(card: Message, pattern: RegExp): Promise<string> {
    const line = (): string => this.shown(card).split("\n")[0] ?? "";
    await this.slack.waitFor(() => pattern.test(line()), `${String(pattern)} on the card`);
    return line();
  }

  connected(): Promise<unknown> {
    return this.slack.waitFor(() => this.slack.world.gateway.connections.length > 0, "the hub in Slack");
  }

  /** Presses a button, again while nobody hears it: Slack tells people that it failed. */
  async press(card: Message, which: string | number): Promise<string> {
    for (;;) {
      const deed = this.ara.press(card, which, { sure: true });
      if ((await deed.ack).kind === "acked") return deed.told();
      await this.connected();
    }
  }
}
