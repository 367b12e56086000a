/** The reference with which a channel finds a message again. */

/** What the service needs to find the message again; opaque JSON of the channel. */
export type DeliveryRef = Readonly<Record<string, string | number>>;
