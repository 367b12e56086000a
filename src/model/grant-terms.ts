/** How long and how often a grant may answer, as people write and read it. Pure. */

export interface GrantTerms {
  /** Null: as long as its session runs. */
  readonly forMs: number | null;
  /** Null: any number of times. */
  readonly uses: number | null;
  /** Also in other sessions of the same tool in the same directory. */
  readonly anywhere: boolean;
}

/** Shorter than a working day: yesterday's permission is requested again. */
export const GRANT_MS_MAX = 24 * 3_600_000;
/** More uses are a rule, which belongs into `policy.yaml`. */
export const GRANT_USES_MAX = 100;

const UNIT_MS = { m: 60_000, h: 3_600_000 } as const;
const TIME = /^([1-9][0-9]{0,3})(m|h)$/;
const USES = /^([1-9][0-9]{0,3})x$/;

/** `10m`, `1h`, `5x`, `session`, with `anywhere` before or after; null for anything else. */
export function parseGrantTerms(text: string): GrantTerms | null {
  let terms: GrantTerms = { forMs: null, uses: null, anywhere: false };
  const words = text.trim().toLowerCase().split(/\s+/);
  for (const word of words) {
    const [, count = "", unit] = TIME.exec(word) ?? [];
    const uses = USES.exec(word)?.[1];
    if (unit !== undefined)
      terms = { ...terms, forMs: Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS] };
    else if (uses !== undefined) terms = { ...terms, uses: Number(uses) };
    else if (word === "anywhere") terms = { ...terms, anywhere: true };
    else if (word !== "session") return null;
  }
  return findTermsProblem(terms) === null ? terms : null;
}

/** Why no grant may be made like that, or null. */
export function findTermsProblem({ forMs, uses, anywhere }: GrantTerms): string | null {
  if (forMs !== null && (forMs <= 0 || forMs > GRANT_MS_MAX)) return "a grant holds for at most 24 hours";
  if (uses !== null && (uses < 1 || uses > GRANT_USES_MAX))
    return `a grant answers at most ${GRANT_USES_MAX} times`;
  // Without its session nothing would end it.
  return anywhere && forMs === null ? "a grant for other sessions needs a time" : null;
}

/** `for 10 min, in this session` */
export function describeGrantTerms({ forMs, uses, anywhere }: GrantTerms): string {
  const times = uses === null ? [] : [uses === 1 ? "once" : `${uses} times`];
  const time = forMs === null ? [] : [`for ${describeTime(forMs)}`];
  const where = anywhere ? "in every session of this tool in this directory" : "in this session";
  return [[...times, ...time].join(" "), where].filter((part) => part !== "").join(", ");
}

function describeTime(ms: number): string {
  return ms % UNIT_MS.h === 0 ? `${ms / UNIT_MS.h} h` : `${Math.round(ms / UNIT_MS.m)} min`;
}

/** What the card offers, shortest first. */
export const OFFERED_TERMS = ["10m", "1h", "session", "5x", "1h anywhere"] as const;
