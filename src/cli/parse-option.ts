/** Parses values of options. Errors: InvalidArgumentError, which Commander shows with the option's name. */
import { InvalidArgumentError } from "commander";
import { createUsageError } from "../model/errors.js";
import { DEADLINE_MAX_DAYS, DURATION, toMs, UNIT_MS } from "../model/data/duration.js";
import { LABEL_MAX } from "./run/run-flags.js";

export function parseLabel(text: string): string {
  if ([...text].length <= LABEL_MAX) return text;
  throw new InvalidArgumentError(`Expected at most ${LABEL_MAX} characters, found ${[...text].length}.`);
}

/** In ms, more than 0. */
export function parseTime(text: string): number {
  const ms = DURATION.test(text) ? toMs(text) : 0;
  if (ms === 0 || ms > DEADLINE_MAX_DAYS * UNIT_MS.d)
    throw new InvalidArgumentError(`a duration such as 90s, 30m or 2h, up to ${DEADLINE_MAX_DAYS}d`);
  return ms;
}

export function parseWholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= low && Number(text) <= high) return Number(text);
    throw new InvalidArgumentError(`Expected a whole number from ${low} to ${high}.`);
  };
}

/** The instant that lies `text` (such as `7d`) before now, in ms since 1970. Errors: ATB_USAGE. */
export function readSince(text: string): number {
  if (DURATION.test(text)) return Date.now() - toMs(text);
  throw createUsageError(
    `--since ${text}: expected a time such as 12h, 7d or 365d`,
    "It counts back from now.",
  );
}
