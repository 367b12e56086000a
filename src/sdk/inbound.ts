/** What comes in from a channel, and what its sender is told at once. */
import type { DeliveryId, Identity, SessionId } from "../model/ids.js";
import type { DeliveryRef } from "./delivery-ref.js";

/** One thing that came in. The hub has stored the raw update before the channel makes these of it. */
export type Inbound =
  /** A button was pressed. */
  | {
      readonly kind: "tap";
      readonly token: string;
      /** The message that carries the button, as `deliver` would have returned it, where the service says so. */
      readonly ref?: DeliveryRef;
      readonly identity: Identity;
      readonly place: string;
      readonly receivedAt: number;
    }
  /**
   * A text that directly answers one of our messages (`ref`: exactly what `deliver` returned for it). A choice with its text is
   * written `3: the text`.
   */
  | {
      readonly kind: "text_reply";
      readonly ref: DeliveryRef;
      /** The delivery, where the service brought it back: a card whose posting's answer was lost has a `ref` that nobody knows. */
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
      /** The session in whose own thread or topic it was said. */
      readonly about?: SessionId;
      readonly receivedAt: number;
    }
  /** Somebody wants to see the screen behind a delivery. */
  | {
      readonly kind: "look";
      readonly deliveryId: DeliveryId;
      readonly identity: Identity;
      readonly place: string;
      readonly receivedAt: number;
    }
  /** Something like an answer that cannot be one, whoever sent it: the sender is told why, and it is recorded. */
  | {
      readonly kind: "unfit";
      /**
       * A copy of a card or message; a text changed after it was sent; somebody whom the service lets in from elsewhere; somebody
       * who writes under the name of a group.
       */
      readonly why: "forwarded" | "edited" | "outsider" | "anonymous";
      readonly identity: Identity;
      readonly place: string;
      readonly receivedAt: number;
    };

/** What the person is told at once (a callback answer, an ephemeral line); never waits for the injection. */
export interface InboundAnswer {
  readonly text: string;
  /** True when it deserves more than a toast. */
  readonly alert: boolean;
}
