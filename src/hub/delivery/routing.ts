/** Where notices go: every place of every channel on which somebody may answer (design §8 "authority"). */
import type { Channel, ChannelCapabilities } from "../../sdk/channel.js";
import { hasApprover, type People } from "./people.js";

/** A configured channel as the hub uses it. */
export interface Seat {
  readonly id: string;
  readonly capabilities: ChannelCapabilities;
  readonly places: readonly string[];
  readonly channel: Channel;
}

export interface Route {
  readonly seat: Seat;
  readonly place: string;
}

/** Channels that may speak; the others are for pairing only. */
export function speakingSeats(seats: readonly Seat[], people: People): Seat[] {
  return seats.filter(({ id, places }) => places.length > 0 && hasApprover(people, id));
}

export function routesOf(seats: readonly Seat[], people: People): Route[] {
  return speakingSeats(seats, people).flatMap((seat) => seat.places.map((place) => ({ seat, place })));
}
