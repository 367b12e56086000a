/** People with Slack open: they tap, confirm, fill in forms, write, edit, forward, and look at the home tab. */
import { readable, type Ephemeral, type Message } from "./conversations.js";
import type { Ack } from "./gateway.js";
import { at, isJson, readText, type Json } from "./json.js";
import {
  blockActions,
  ephemeralActions,
  listButtons,
  eventCallback,
  messageEvent,
  slashCommand,
  typed,
  viewSubmission,
  type Person,
} from "./payloads.js";
import { fill, type Filling } from "./forms.js";
import type { View, World } from "./world.js";

/** What a person needs of the emulator. */
export interface Stage {
  readonly world: World;
  changed(): void;
  waitFor<T>(probe: () => T | null | undefined | false, what: string, timeoutMs?: number): Promise<T>;
}

/** Something a person did; the app has three seconds to say that it heard of it. */
export interface Deed {
  readonly ack: Promise<Ack>;
  /** What only this person is told about it. */
  told(timeoutMs?: number): Promise<string>;
}

export interface SayOptions {
  readonly threadTs?: string | null;
  /** Fields laid over the event, for shares, other apps and the like. */
  readonly fields?: Json;
}

export class User implements Person {
  readonly id: string;
  readonly name: string;
  readonly team: string;
  /** The direct conversation with the app; null for people of other workspaces. */
  readonly im: string | null;
  readonly #stage: Stage;

  constructor(stage: Stage, person: Person, im: string | null) {
    this.#stage = stage;
    this.id = person.id;
    this.name = person.name;
    this.team = person.team;
    this.im = im;
  }

  /**
   * Presses a button: by its text, or by its place (from 0). Where the client asks first, `sure` says what is answered; pressing
   * such a button without it is a mistake of the test.
   */
  press(message: Message, which: string | number, options: { readonly sure?: boolean } = {}): Deed {
    const button = listButtons(message).find(
      (candidate, index) => index === which || readText(at(candidate, "text", "text")) === which,
    );
    if (!button) throw new Error(`the message shows no button ${which}`);
    if (button["confirm"] !== undefined && options.sure === undefined)
      throw new Error(`the button ${which} asks first: say whether you are sure`);
    if (options.sure === false) return { ack: Promise.resolve({ kind: "unsent" }), told: () => never() };
    return this.pressButton(message, button);
  }

  /** A button that this person still sees although the message has changed since, or that was forged. */
  pressButton(message: Message, button: Json, copy?: Message): Deed {
    const { world } = this.#stage;
    const shown = copy ?? message;
    const responsePath = world.responses.issue(shown.channel, this.id);
    const triggerId = world.triggers.issue(this.id);
    const payload = blockActions(world, {
      message,
      button,
      person: this,
      triggerId,
      responsePath,
      ...(copy ? { copy } : {}),
    });
    return this.#deed(world.gateway.send("interactive", payload), responsePath);
  }

  /** Presses a button of an answer that only this person sees. */
  pressSeen({ channel }: Ephemeral, button: Json): Deed {
    const { world } = this.#stage;
    const responsePath = world.responses.issue(channel, this.id);
    const triggerId = world.triggers.issue(this.id);
    const payload = ephemeralActions(world, { button, person: this, triggerId, responsePath, channel });
    return this.#deed(world.gateway.send("interactive", payload), responsePath);
  }

  /** Shares a message elsewhere: in a message of its own, whose buttons say which one they were copied from. */
  forward(channel: string): Message {
    const copy = {
      channel,
      user: this.id,
      text: "look at this",
      blocks: [],
      threadTs: null,
      broadcast: false,
      file: null,
      mentions: [],
    };
    return this.#stage.world.conversations.add(copy);
  }

  /** The newest form on this person's screen. */
  get form(): View | undefined {
    return this.#stage.world.modals.findLast(({ user }) => user === this.id);
  }

  async openForm(): Promise<View> {
    return this.#stage.waitFor(() => this.form, `a form for ${this.name}`);
  }

  /** Fills the form in and sends it; it closes when the app has heard of it. */
  submit(filling: Filling): Deed {
    const { world } = this.#stage;
    const { form } = this;
    if (!form) throw new Error("no form is open");
    const payload = viewSubmission(world, this, form, fill(form.view, filling));
    const from = world.conversations.ephemerals.length;
    const ack = world.gateway.send("interactive", payload).then((result) => {
      const refused =
        result.kind !== "acked" || Object.keys(isJson(result.payload) ? result.payload : {}).length > 0;
      if (!refused) world.modals.splice(world.modals.indexOf(form), 1);
      this.#stage.changed();
      return result;
    });
    return {
      ack,
      told: (ms) =>
        this.#heard(({ user, via }, index) => index >= from && user === this.id && via === null, ms),
    };
  }

  /** `/atlasbridge …` in any conversation; default: the app's own. */
  command(text: string, options: { readonly channel?: string; readonly command?: string } = {}): Deed {
    const { world } = this.#stage;
    const channel = options.channel ?? this.im ?? "";
    const command = options.command ?? "/atlasbridge";
    const known = world.manifest.features.slash_commands?.some((slash) => slash.command === command) ?? false;
    if (!known) throw new Error(`the app has no command ${command}`);
    const responsePath = world.responses.issue(channel, this.id);
    const payload = slashCommand(world, this, { command, text, channel, responsePath });
    return this.#deed(world.gateway.send("slash_commands", payload), responsePath);
  }

  /** Writes to the app directly. */
  say(text: string, options: SayOptions = {}): Message {
    return this.#write("message.im", this.im ?? "", typed(text), options);
  }

  /** Writes to the app in a channel. */
  mention(channel: string, text: string, options: SayOptions = {}): Message {
    return this.#write("app_mention", channel, this.#address(text), options);
  }

  /** In a channel the service reports the mention once more, as in slackapi/bolt-js#960. */
  edit(message: Message, text: string): void {
    const { world } = this.#stage;
    const { conversations } = world;
    const edited = { user: this.id, ts: conversations.nextTs() };
    const isDirect = message.channel === this.im;
    const words = isDirect ? typed(text) : this.#address(text);
    const next = conversations.replace({ ...message, text: words, edits: message.edits + 1 });
    if (!isDirect) {
      this.#emit("app_mention", messageEvent(world, next, this, { type: "app_mention", edited }));
      return;
    }
    this.#emit("message.im", {
      type: "message",
      subtype: "message_changed",
      hidden: true,
      channel: message.channel,
      channel_type: "im",
      ts: world.conversations.nextTs(),
      message: { ...messageEvent(world, next, this), edited },
      previous_message: messageEvent(world, message, this),
    });
  }

  openHome(): void {
    const event = { type: "app_home_opened", user: this.id, channel: this.im, tab: "home" };
    this.#emit("app_home_opened", event);
  }

  /** What this person's home tab shows. */
  get home(): Json | undefined {
    return this.#stage.world.homes.get(this.id);
  }

  #address(text: string): string {
    return `<@${this.#stage.world.bot.userId}> ${typed(text)}`;
  }

  #write(name: string, channel: string, text: string, { threadTs = null, fields = {} }: SayOptions): Message {
    const { world } = this.#stage;
    const { conversations } = world;
    conversations.writable(channel, this.id);
    const message = conversations.add({
      channel,
      user: this.id,
      text,
      blocks: [],
      threadTs,
      broadcast: false,
      file: null,
      mentions: [],
    });
    const type = name === "app_mention" ? name : "message";
    this.#emit(name, messageEvent(world, message, this, { type, ...fields }));
    return message;
  }

  #emit(name: string, event: Json): void {
    const { world } = this.#stage;
    const wanted = world.manifest.settings.event_subscriptions?.bot_events ?? [];
    if (wanted.includes(name)) void world.gateway.send("events_api", eventCallback(world, event));
  }

  #deed(ack: Promise<Ack>, responsePath: string): Deed {
    return { ack, told: (ms) => this.#heard(({ via }) => via === responsePath, ms) };
  }

  #heard(
    isIt: (ephemeral: World["conversations"]["ephemerals"][number], index: number) => boolean,
    timeoutMs?: number,
  ): Promise<string> {
    const { ephemerals } = this.#stage.world.conversations;
    return this.#stage
      .waitFor(() => ephemerals.find(isIt), `${this.name} to be told`, timeoutMs)
      .then(({ text, blocks }) => (blocks.length > 0 ? readable(blocks) : text));
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
