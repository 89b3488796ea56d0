import { createHash } from 'node:crypto';
import {
  type InboundDelivery,
  type Refused,
  readFormPairs,
  readSignature,
  refuse,
} from '@handover/platform-contract';

/** What a delivery proves its origin with. It says nothing about the body: whoever saw one can send another. */
export interface SecurityPair {
  readonly data: string;
  /** Lower-case hex. */
  readonly hash: string;
}

type Request = Pick<InboundDelivery, 'body' | 'headers'>;

/** The pair of a request, from its headers or else from its form; half a pair is none. */
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
 * Tells pairs apart without keeping what could be sent again. By the hash alone: the same data may come in another
 * spelling (as a header's bytes, as a form's text) and verify again.
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

/** Any text may be signed, so that of the header is taken as it is. */
function readSecurityData(values: string | readonly string[] | undefined): string | Refused {
  const [value = '', ...others] = typeof values === 'string' ? [values] : (values ?? []);
  if (others.length > 0) return refuse('The security data came more than once.');
  return value.trim() === '' ? refuse('The security data is missing.') : value;
}
