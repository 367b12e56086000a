import { InvalidArgumentError } from "commander";
import { DEADLINE_MAX_DAYS, DURATION, toMs, UNIT_MS } from "../model/data/duration.js";

/** In ms, more than 0. Errors: InvalidArgumentError. */
export function parseTime(text: string): number {
  const ms = DURATION.test(text) ? toMs(text) : 0;
  if (ms === 0 || ms > DEADLINE_MAX_DAYS * UNIT_MS.d)
    throw new InvalidArgumentError(`a duration such as 90s, 30m or 2h, up to ${DEADLINE_MAX_DAYS}d`);
  return ms;
}
