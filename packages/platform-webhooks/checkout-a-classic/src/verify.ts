import { createHash } from 'node:crypto';
import {
  findSigner,
  type InboundDelivery,
  isSameSecret,
  type ProofOfOrigin,
  type Refused,
  readFormPairs,
  readSignature,
  refuse,
  type SigningConnection,
  type TranslatedEntry,
  type Verification,
} from '@handover/platform-contract';

// https://fastspring.com/docs/classic/Notifications-Overview
// The hash covers the data only: neither time nor body is protected (see `checkStrictly`).
export function verify(inbound: InboundDelivery, connections: readonly SigningConnection[]): Verification {
  const pair = readSecurityPair(inbound);
  if ('kind' in pair) return pair;
  const spellings = spellData(pair.data);
  return findSigner(connections, (key) =>
    spellings.map((data) => isSameSecret(pair.hash, hashData(data, key))).includes(true),
  );
}

/** Plain concatenation, no separator; the key looks like hex but is used as text. */
function hashData(data: Buffer, key: string): string {
  return createHash('md5').update(data).update(key, 'utf8').digest('hex');
}

/**
 * The data contains the buyer's address. Node reads header bytes as Latin-1, so UTF-8 in a header has to be
 * restored.
 */
function spellData(data: string): readonly Buffer[] {
  const text = Buffer.from(data, 'utf8');
  return /^[\0-\xff]*$/.test(data) ? [text, Buffer.from(data, 'latin1')] : [text];
}

/**
 * A delivery's proof of origin. It does not cover the body: anyone who has seen one can send another body
 * with it.
 */
interface SecurityPair {
  readonly data: string;
  /** Lower-case hex. */
  readonly hash: string;
}

type Request = Pick<InboundDelivery, 'body' | 'headers'>;

/** The pair of a request, from its headers, or else from its form; half a pair counts as none. */
export function readSecurityPair({ body, headers }: Request): SecurityPair | Refused {
  const inHeaders = headers[DATA_HEADER] !== undefined || headers[HASH_HEADER] !== undefined;
  const carried = inHeaders ? headers : readFormFields(body);
  const data = readSecurityData(carried[DATA_HEADER]);
  if (typeof data !== 'string') return data;
  const hash = readSignature(carried, [HASH_HEADER]);
  if (typeof hash !== 'string') return hash;
  return /^[0-9a-f]{32}$/.test(hash)
    ? { data, hash }
    : refuse('The security hash is not in the form that this platform uses.');
}

/**
 * Identifies a pair without keeping what could be replayed. Only the hash counts: the same data can arrive
 * in another spelling (bytes of a header, text of a form) and verify again.
 */
export function fingerprintPair({ hash }: Pick<SecurityPair, 'hash'>): string {
  return createHash('sha256').update(hash).digest('hex');
}

export function hasPairInForm(body: Uint8Array): boolean {
  return !('kind' in readSecurityPair({ body, headers: {} }));
}

const DATA_HEADER = 'x-security-data';
const HASH_HEADER = 'x-security-hash';

export const PAIR_HEADERS = [DATA_HEADER, HASH_HEADER];

/** Every value of the form's two fields, under the names of the headers. */
function readFormFields(body: Uint8Array): Readonly<Record<string, readonly string[] | undefined>> {
  const form = readFormPairs(body);
  const pairs = form.kind === 'pairs' ? form.pairs : [];
  const valuesOf = (wanted: string) => {
    const values = pairs.filter(([name]) => name === wanted).map(([, value]) => value);
    return values.length > 0 ? values : undefined;
  };
  return { [DATA_HEADER]: valuesOf('security_data'), [HASH_HEADER]: valuesOf('security_hash') };
}

/** The signed data can be any text, so the header's value is used unchanged. */
function readSecurityData(values: string | readonly string[] | undefined): string | Refused {
  const [value = '', ...others] = typeof values === 'string' ? [values] : (values ?? []);
  if (others.length > 0) return refuse('The security data came more than once.');
  return value.trim() === '' ? refuse('The security data is missing.') : value;
}

const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/**
 * Tolerates clock skew. Without a limit, a date in the future would keep a recorded pair usable for any
 * time.
 */
const MAX_AHEAD_MS = 5 * 60 * 1000;

/**
 * The message for a pair that arrived before with another body: a note, or a refusal where the connection
 * is strict.
 */
const REUSED_PAIR = {
  note: 'The security pair of this delivery came before with another body.',
  refusal: refuse('The security pair came before with another body.'),
} as const;

/**
 * The additional checks of a strict connection: the pair was made for this order, recently, and not in the
 * future. The vendor's data is `<epoch ms><order reference><e-mail><epoch ms>`, and for a subscription
 * `<epoch ms><subscription reference>`. Null when the pair passes.
 */
export function checkStrictly(
  { data }: SecurityPair,
  entry: TranslatedEntry | undefined,
  now: Date,
): Refused | null {
  const stamp = /^\d{13}/.exec(data)?.[0];
  if (stamp === undefined) return refuse('The security data does not begin with a time.');
  const ageMs = now.getTime() - Number(stamp);
  if (ageMs > MAX_AGE_MS) return refuse('The security data is older than a day.');
  if (ageMs < -MAX_AHEAD_MS)
    return refuse('The security data is dated more than five minutes ahead of our clock.');
  const reference = entry?.kind === 'order' ? entry.order.orderId : (entry?.orderId ?? null);
  const isOfOrder = reference !== null && data.slice(stamp.length).startsWith(reference);
  return isOfOrder ? null : refuse('The security data does not name the order of the body.');
}

/** The pair does not cover the body, so the store remembers the body it arrived with. */
export const proofOfPair: ProofOfOrigin = {
  fingerprint: (inbound) => {
    const pair = readSecurityPair(inbound);
    return 'kind' in pair ? null : fingerprintPair(pair);
  },
  checkStrictly: (inbound, entry, now) => {
    const pair = readSecurityPair(inbound);
    return 'kind' in pair ? pair : checkStrictly(pair, entry, now);
  },
  reused: REUSED_PAIR,
};
