/** What arrives from a channel, and what its sender is told at once. */
import type { DeliveryId, Identity, SessionId } from "../model/ids.js";
import type { DeliveryRef } from "./delivery-ref.js";

/** One incoming event. The hub has stored the raw update before the channel interprets it. */
export type Inbound =
  /** A button was pressed. */
  | {
      readonly kind: "tap";
      readonly token: string;
      /** The message with the button, as `deliver` would have returned it, if the service provides it. */
      readonly ref?: DeliveryRef;
      readonly identity: Identity;
      readonly place: string;
      readonly receivedAt: number;
    }
  /**
   * A text that directly answers one of our messages (`ref`: exactly what `deliver` returned for it). A choice with text is
   * written `3: the text`.
   */
  | {
      readonly kind: "text_reply";
      readonly ref: DeliveryRef;
      /** The delivery, if the service returned it: a card whose posting's response was lost has an unknown `ref`. */
      readonly deliveryId?: DeliveryId;
      readonly text: string;
      readonly identity: Identity;
      readonly place: string;
      readonly receivedAt: number;
    }
  /** Any other text, commands included. It never answers anything by itself. */
  | {
      readonly kind: "text";
      readonly text: string;
      readonly identity: Identity;
      readonly displayName: string;
      readonly place: string;
      /** The session whose own thread or topic it was written in. */
      readonly about?: SessionId;
      readonly receivedAt: number;
    }
  /** Somebody requests the screen behind a delivery. */
  | {
      readonly kind: "look";
      readonly deliveryId: DeliveryId;
      readonly identity: Identity;
      readonly place: string;
      readonly receivedAt: number;
    }
  /** Something that looks like an answer but cannot be one: the sender is told why, and it is recorded. */
  | {
      readonly kind: "unfit";
      /**
       * A copy of a card or message; a text edited after it was sent; a member of another organisation; somebody who writes
       * under a group's name.
       */
      readonly why: "forwarded" | "edited" | "outsider" | "anonymous";
      readonly identity: Identity;
      readonly place: string;
      readonly receivedAt: number;
    };

/** The immediate reply to the person (a callback answer, an ephemeral line); never waits for the injection. */
export interface InboundAnswer {
  readonly text: string;
  /** True if it deserves more than a toast. */
  readonly alert: boolean;
}
