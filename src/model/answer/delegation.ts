/** A person who may answer in place of another one for a time. */
export interface Delegation {
  /** Names of `people`. */
  readonly from: string;
  readonly to: string;
  /** At this instant it is over. */
  readonly endsAt: number;
}
