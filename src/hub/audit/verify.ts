/** The whole check of an audit: its chain, and every seal that was ever put on it. Names the first row that does not fit. Pure. */
import { verifyChain, type ChainHead, type ChainVerdict } from "./chain.js";
import { deriveKey, isOwnRecord, type ProvedRecord } from "./row-mac.js";
import { isGenuine, keyId, type Seal } from "./seal.js";

/** What the chain is held against. */
export interface Seals {
  /** Null where the key is gone: then no seal can be told from a forged one. */
  readonly key: Buffer | null;
  /** The newest, from the database; null where there is none. */
  readonly newest: Seal | null;
  /** Older ones, kept outside of the database. */
  readonly kept: readonly Seal[];
  /** A length and a hash that somebody noted down elsewhere. */
  readonly noted?: ChainHead | undefined;
}

/** Why a chain that is whole in itself is not the one that was sealed. */
export type SealProblem =
  | "foreign"
  | "cut"
  | "made_anew"
  | "unsealed"
  | "forged_seal"
  | "other_key"
  | "key_missing"
  | "key_lost"
  | "found_broken";

export type AuditVerdict =
  | { readonly intact: true; readonly head: ChainHead; readonly seals: number }
  | {
      readonly intact: false;
      /** The first row that does not fit, or where one is missing. */
      readonly position: number;
      readonly problem: Extract<ChainVerdict, { intact: false }>["problem"] | SealProblem;
      /** With `made_anew` the first such row is somewhere from `position` to here; without their key all rows up to here are meant. */
      readonly until?: number;
    };

type Broken = Extract<AuditVerdict, { intact: false }>;

export function verifyAudit(records: Iterable<ProvedRecord>, seals: Seals): AuditVerdict {
  const heads = headsOf(seals);
  const hashAt = new Map<number, string>();
  const wanted = new Set(heads.map(({ count }) => count));
  const seen: Broken[] = [];
  const strange: Run[] = [];
  const chain = verifyChain(noting(confessed(proving(records, seals, strange), seen), wanted, hashAt));
  const sound = chain.intact ? chain.head.count : chain.position - 1;
  const broken = [
    ...(chain.intact ? [] : [chain]),
    ...misfits(heads, hashAt, sound),
    ...lostKeys(seals, strange, sound),
    ...(chain.intact ? sealProblems(seals, chain.head) : []),
    ...foreignRows(seals, strange),
    ...seen,
  ];
  if (chain.intact && broken.length === 0) return { ...chain, seals: heads.length };
  return earliest(broken);
}

/** Lengths and hashes that are known to be true, in the order of length. */
function headsOf({ key, newest, kept, noted }: Seals): ChainHead[] {
  const all = newest ? [...kept, newest] : kept;
  const genuine = key === null ? [] : all.filter((seal) => isGenuine(key, seal));
  const heads = genuine.map(({ count, head }) => ({ count, hash: head }));
  return [...heads, ...(noted ? [noted] : [])].sort((a, b) => a.count - b.count);
}

/** Rows in a row, from the first to the last. */
interface Run {
  readonly from: number;
  to: number;
}

/** Notes the rows that nothing proves under this key: somebody else wrote them, or the hub did, with a key that is gone. */
function* proving(records: Iterable<ProvedRecord>, { key }: Seals, strange: Run[]): Generator<ProvedRecord> {
  const rowKey = key === null ? null : deriveKey(key, "rows");
  for (const record of records) {
    if (rowKey !== null && !isOwnRecord(rowKey, record)) note(strange, record.position);
    yield record;
  }
}

function note(runs: Run[], position: number): void {
  const last = runs.at(-1);
  if (last?.to === position - 1) last.to = position;
  else runs.push({ from: position, to: position });
}

/** The first row that the hub did not write. Without the key that the newest seal was made with nobody can tell. */
function foreignRows({ key, newest }: Seals, [first]: readonly Run[]): Broken[] {
  if (first === undefined || key === null || newest?.key !== keyId(key)) return [];
  return [{ intact: false, position: first.from, problem: "foreign" }];
}

/** A hub has put on record that it found another end than the one that was sealed. No later seal takes that back. */
function* confessed(records: Iterable<ProvedRecord>, seen: Broken[]): Generator<ProvedRecord> {
  let isTold = false;
  for (const record of records) {
    if (record.step === "audit_found_broken" && !isTold) {
      isTold = true;
      seen.push({ intact: false, position: record.position, problem: "found_broken" });
    }
    yield record;
  }
}

/**
 * Rows that were sealed under a key that is not there any more: without it nobody can tell whether they are the ones. Those before are
 * proved by a seal of this key that is older than all of the lost one's; those behind have proofs of their own.
 */
function lostKeys({ key, newest, kept }: Seals, strange: readonly Run[], sound: number): Broken[] {
  if (key === null) return [];
  const own = keyId(key);
  // Where every row is proved only the seal itself was changed.
  const all = newest && strange.length > 0 ? [...kept, newest] : kept;
  const lost = all.filter((seal) => seal.key !== own).map(({ count }) => Math.min(count, sound));
  const sealedTo = Math.max(0, ...lost);
  if (sealedTo === 0) return [];
  const proved = kept.filter((seal) => isGenuine(key, seal) && seal.count < Math.min(...lost));
  const behind = strange.find(({ from, to }) => from <= sealedTo + 1 && to > sealedTo);
  return [
    {
      intact: false,
      position: Math.max(0, ...proved.map(({ count }) => count)) + 1,
      problem: "key_lost",
      until: Math.min(behind?.to ?? sealedTo, sound),
    },
  ];
}

function* noting(
  records: Iterable<ProvedRecord>,
  wanted: ReadonlySet<number>,
  hashAt: Map<number, string>,
): Generator<ProvedRecord> {
  for (const record of records) {
    if (wanted.has(record.position)) hashAt.set(record.position, record.hash);
    yield record;
  }
}

/** Heads within the first `sound` rows that have another hash now, and those beyond an end that is sound. */
function misfits(heads: readonly ChainHead[], hashAt: ReadonlyMap<number, string>, sound: number): Broken[] {
  let fitting = 0;
  for (const { count, hash } of heads) {
    if (count === 0) continue;
    if (count > sound) return [{ intact: false, position: sound + 1, problem: "cut" }];
    if (hashAt.get(count) !== hash)
      return [{ intact: false, position: fitting + 1, problem: "made_anew", until: count }];
    fitting = count;
  }
  return [];
}

/** What is wrong with the newest seal itself: every row is appended together with one. */
function sealProblems({ key, newest }: Seals, { count }: ChainHead): Broken[] {
  if (count === 0 && newest === null) return [];
  const end = { intact: false, position: Math.max(count, 1) } as const;
  if (newest === null) return [{ ...end, problem: "unsealed" }];
  if (key === null) return [{ ...end, position: 1, problem: "key_missing", until: end.position }];
  if (newest.key !== keyId(key)) return [{ ...end, problem: "other_key" }];
  if (!isGenuine(key, newest)) return [{ ...end, problem: "forged_seal" }];
  // A seal of more rows than there are, or of others, is a misfit already.
  return newest.count < count ? [{ ...end, position: newest.count + 1, problem: "unsealed" }] : [];
}

function earliest(broken: readonly Broken[]): Broken {
  return broken.reduce((first, next) => (next.position < first.position ? next : first));
}
