/** Verifies a whole audit: its hash chain and every seal ever made of it. Reports the first row that does not fit. Pure. */
import { EMPTY_CHAIN, verifyChain, type AuditRecord, type ChainHead, type ChainVerdict } from "./chain.js";
import { isGenuineSeal, deriveKeyId, type Seal } from "./seal.js";

export interface Seals {
  /** Null if the key is lost: then nobody can say whether a seal is genuine. */
  readonly key: Buffer | null;
  /** The newest seal, from the database; null if there is none. */
  readonly newest: Seal | null;
  /** Older seals, stored outside the database. */
  readonly kept: readonly Seal[];
  readonly noted?: ChainHead | undefined;
}

/** Why a chain that is consistent in itself is not the one that was sealed. */
export type SealProblem =
  "cut" | "made_anew" | "unsealed" | "forged_seal" | "key_missing" | "key_lost" | "found_broken";

export type AuditVerdict =
  | { readonly intact: true; readonly head: ChainHead; readonly seals: number }
  | {
      readonly intact: false;
      readonly position: number;
      readonly problem: Extract<ChainVerdict, { intact: false }>["problem"] | SealProblem;
      /** With `made_anew`, the first such row lies between `position` and here. Without the key, all rows up to here are in doubt. */
      readonly until?: number;
    };

type Broken = Extract<AuditVerdict, { intact: false }>;

export function verifyAudit(records: Iterable<AuditRecord>, seals: Seals): AuditVerdict {
  const heads = collectHeads(seals);
  const hashAt = new Map<number, string>();
  const all = [...heads.kept, ...heads.newest, ...heads.noted];
  const counts = new Set(all.map(({ count }) => count));
  // No later seal revokes what a hub recorded.
  const recorded: Broken[] = [];
  const chain = verifyChain(records, EMPTY_CHAIN, ({ position, hash, step }) => {
    if (counts.has(position)) hashAt.set(position, hash);
    if (step === "audit_found_broken") recorded.push({ intact: false, position, problem: "found_broken" });
  });
  const sound = chain.intact ? chain.head.count : chain.position - 1;
  const broken = [
    ...(chain.intact ? [] : [chain]),
    ...findMismatches(heads, hashAt, sound),
    ...findLostKeys(seals, sound),
    ...(chain.intact ? findSealProblems(seals, chain.head) : []),
    ...recorded,
  ];
  if (chain.intact && broken.length === 0) return { ...chain, seals: all.length };
  return chooseEarliest(broken);
}

/** Trusted pairs of length and hash. */
interface Heads {
  readonly kept: readonly ChainHead[];
  readonly newest: readonly ChainHead[];
  readonly noted: readonly ChainHead[];
}

function collectHeads({ key, newest, kept, noted }: Seals): Heads {
  const toHeads = (all: readonly Seal[]): ChainHead[] =>
    all
      .filter((seal) => key !== null && isGenuineSeal(key, seal))
      .map(({ count, head }) => ({ count, hash: head }));
  return { kept: toHeads(kept), newest: toHeads(newest ? [newest] : []), noted: noted ? [noted] : [] };
}

/** Rows that were sealed with a lost key cannot be verified any more; those before them are covered by an older seal. */
function findLostKeys({ key, newest, kept }: Seals, sound: number): Broken[] {
  if (key === null) return [];
  const own = deriveKeyId(key);
  const all = newest === null ? kept : [...kept, newest];
  const lost = all.filter((seal) => seal.key !== own).map(({ count }) => Math.min(count, sound));
  const until = Math.max(0, ...lost);
  if (until === 0) return [];
  const proved = kept.filter((seal) => isGenuineSeal(key, seal) && seal.count < Math.min(...lost));
  const position = Math.max(0, ...proved.map(({ count }) => count)) + 1;
  return [{ intact: false, position, problem: "key_lost", until }];
}

/**
 * Trusted heads whose row is missing or has another hash now. Of the seals that fit only those kept before such a head narrow
 * down where its rows end: after an older copy of the database was put back, a hub seals other rows in their places. The first
 * seal after that is of fewer rows. Nothing says when a noted head was made.
 */
function findMismatches(
  { kept, newest, noted }: Heads,
  hashAt: ReadonlyMap<number, string>,
  sound: number,
): Broken[] {
  const fits = ({ count, hash }: ChainHead): boolean =>
    count === 0 || (count <= sound && hashAt.get(count) === hash);
  const describe = (
    { count }: ChainHead,
    before: readonly ChainHead[],
    after: readonly ChainHead[],
  ): Broken => {
    const earlier = before.filter((head) => head.count < count && fits(head));
    const fitting = Math.max(0, ...earlier.map((head) => head.count));
    const until = Math.min(count, ...after.map((head) => head.count).filter((later) => later > fitting));
    if (until === count && count > sound) return { intact: false, position: sound + 1, problem: "cut" };
    return { intact: false, position: fitting + 1, problem: "made_anew", until };
  };
  const sealed = [...kept, ...newest];
  return [
    ...sealed.flatMap((head, at) =>
      fits(head) ? [] : describe(head, kept.slice(0, at), kept.slice(at + 1)),
    ),
    ...noted.flatMap((head) => (fits(head) ? [] : describe(head, [], []))),
  ];
}

/** Checks the newest seal itself: every row is appended together with a seal. */
function findSealProblems({ key, newest }: Seals, { count }: ChainHead): Broken[] {
  if (count === 0 && newest === null) return [];
  const end = { intact: false, position: Math.max(count, 1) } as const;
  if (newest === null) return [{ ...end, problem: "unsealed" }];
  if (key === null) return [{ ...end, position: 1, problem: "key_missing", until: end.position }];
  if (newest.key !== deriveKeyId(key)) return [{ ...end, problem: "key_lost", until: end.position }];
  if (!isGenuineSeal(key, newest)) return [{ ...end, problem: "forged_seal" }];
  // A seal of more rows than there are, or of other rows, was already reported as a mismatch.
  return newest.count < count ? [{ ...end, position: newest.count + 1, problem: "unsealed" }] : [];
}

/** If several name one row, the one with the shortest range counts, then the first. */
function chooseEarliest(broken: readonly Broken[]): Broken {
  return broken.reduce((first, next) => {
    if (next.position !== first.position) return next.position < first.position ? next : first;
    const isNarrower = next.problem === first.problem && (next.until ?? 0) < (first.until ?? 0);
    return isNarrower ? next : first;
  });
}
