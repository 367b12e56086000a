/** Whoever stands in for a person may answer in their place for a time. */
export interface Delegation {
  /** Names of `people`. */
  readonly from: string;
  readonly to: string;
  /** At this instant it is over. */
  readonly endsAt: number;
}
