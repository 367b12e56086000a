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
export type SealProblem = "foreign" | "cut" | "made_anew" | "unsealed" | "forged_seal" | "no_key";

export type AuditVerdict =
  | { readonly intact: true; readonly head: ChainHead; readonly seals: number }
  | {
      readonly intact: false;
      /** The first row that does not fit, or where one is missing. */
      readonly position: number;
      readonly problem: Extract<ChainVerdict, { intact: false }>["problem"] | SealProblem;
      /** With `made_anew`: the first such row is somewhere from `position` to here. */
      readonly until?: number;
    };

type Broken = Extract<AuditVerdict, { intact: false }>;

export function verifyAudit(records: Iterable<ProvedRecord>, seals: Seals): AuditVerdict {
  const heads = headsOf(seals);
  const hashAt = new Map<number, string>();
  const wanted = new Set(heads.map(({ count }) => count));
  const foreign: Broken[] = [];
  const chain = verifyChain(noting(proving(records, seals, foreign), wanted, hashAt));
  if (!chain.intact) return earliest([chain, ...misfits(heads, hashAt, chain.position - 1), ...foreign]);
  const broken = [
    ...misfits(heads, hashAt, chain.head.count),
    ...sealProblems(seals, chain.head),
    ...foreign,
  ];
  return broken.length === 0 ? { ...chain, seals: heads.length } : earliest(broken);
}

/** Lengths and hashes that are known to be true, in the order of length. */
function headsOf({ key, newest, kept, noted }: Seals): ChainHead[] {
  const all = newest ? [...kept, newest] : kept;
  const genuine = key === null ? [] : all.filter((seal) => isGenuine(key, seal));
  const heads = genuine.map(({ count, head }) => ({ count, hash: head }));
  return [...heads, ...(noted ? [noted] : [])].sort((a, b) => a.count - b.count);
}

/** Notes the first row that the hub did not write. Without the key that the newest seal was made with nobody can tell. */
function* proving(
  records: Iterable<ProvedRecord>,
  { key, newest }: Seals,
  foreign: Broken[],
): Generator<ProvedRecord> {
  const rowKey = key !== null && newest?.key === keyId(key) ? deriveKey(key, "rows") : null;
  for (const record of records) {
    if (rowKey !== null && foreign.length === 0 && !isOwnRecord(rowKey, record))
      foreign.push({ intact: false, position: record.position, problem: "foreign" });
    yield record;
  }
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
  if (key === null || newest.key !== keyId(key)) return [{ ...end, problem: "no_key" }];
  if (!isGenuine(key, newest)) return [{ ...end, problem: "forged_seal" }];
  // A seal of more rows than there are, or of others, is a misfit already.
  return newest.count < count ? [{ ...end, position: newest.count + 1, problem: "unsealed" }] : [];
}

function earliest(broken: readonly Broken[]): Broken {
  return broken.reduce((first, next) => (next.position < first.position ? next : first));
}
