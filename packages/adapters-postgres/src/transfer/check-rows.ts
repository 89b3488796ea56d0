import {
  LANGUAGES,
  NO_ORGANISATION,
  normalizeEmail,
  parseRelease,
  ROLES,
  readScopes,
  readTimeZone,
} from '@handover/domain';
import { JOB_KINDS, LANE_SIZES } from '../jobs/job-outbox.ts';
import { areIds } from '../statements/ids.ts';
import type { TableColumn } from './table-columns.ts';

type Row = Readonly<Record<string, string | null>>;
/** What is wrong with a row; null if nothing is. */
type Rule = (row: Row, orgId: string) => string | null;

/**
 * What is wrong with a row of an organisation's export; null if nothing is. The maker of the export could have put
 * anything in it. PostgreSQL checks types and keys; this checks what would reach other organisations: rows that are not
 * its own, and values on which a page, a mail or a sweep for several organisations would fail or be misled.
 */
export function findProblem(
  orgId: string,
  table: string,
  columns: readonly TableColumn[],
  values: readonly (string | null)[],
): string | null {
  if (values.length !== columns.length) return `it has ${values.length} values for ${columns.length} columns`;
  const row: Row = Object.fromEntries(columns.map(({ name }, at) => [name, values[at] ?? null]));
  const owner = row[table === 'organisations' ? 'id' : 'org_id'];
  // The owner of an API key is a user: it is checked against the imported ones.
  if (table !== 'api_keys' && owner !== orgId) return 'it is of another organisation';
  for (const { name, type } of columns) {
    const value = row[name];
    if (typeof value === 'string' && FORMATS[type]?.test(value) === false) return `${name} is out of range`;
  }
  return checkAddress(row) ?? checkPlatform(row) ?? RULES[table]?.(row, orgId) ?? null;
}

/** Refuses infinity, years that JavaScript cannot read, and numbers that are none. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  timestamptz: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-][\d:]+$/,
  numeric: /^-?\d{1,60}(\.\d{1,60})?$/,
};

/** A person is found by the normalized address, but mailed at the other one: both must be the same. */
function checkAddress({ email = null, email_normalized: normalized }: Row): string | null {
  if (email === null || normalized === undefined || normalizeEmail(email) === normalized) return null;
  return 'email_normalized is not that of email';
}

function checkPlatform({ platform = null }: Row): string | null {
  return platform === null || /^[a-z\d-]{0,40}$/.test(platform) ? null : 'platform is not the name of one';
}

const isOneOf = (texts: readonly string[], text: string | null | undefined) =>
  typeof text === 'string' && texts.includes(text);

const RULES: Readonly<Record<string, Rule>> = {
  // Shown to buyers, in one mail or page with other organisations.
  organisations: ({ id, language, time_zone: timeZone }) => {
    if (id === NO_ORGANISATION) return 'its id stands for no organisation';
    if (!isOneOf(LANGUAGES, language)) return 'language is not one of ours';
    return readTimeZone(timeZone ?? '') === null ? 'time_zone is unknown' : null;
  },
  invitations: ({ role }) => (isOneOf(ROLES, role) ? null : 'role is unknown'),
  api_keys: ({ scopes = null }) => {
    const texts = scopes?.slice(1, -1).split(',') ?? [];
    return scopes === null || scopes === '{}' || readScopes(texts) ? null : 'scopes are unknown';
  },
  outgoing_emails: ({ kind, details = null }, orgId) => {
    if (!isOneOf(OWN_EMAILS, kind)) return `kind ${kind} is of a user or mailbox, not of an organisation`;
    return kind !== 'links' || hasOwnLinks(details, orgId) ? null : 'details name links of others';
  },
  jobs: ({ kind, lane, subject = null }) => {
    if (!isOneOf(JOB_KINDS, kind) || !isOneOf(Object.keys(LANE_SIZES), lane))
      return 'kind or lane is unknown';
    if (kind === 'release-entries') return isRelease(subject ?? '') ? null : 'subject is not a release';
    return areIds(subject ?? '') ? null : 'subject is not an id';
  },
};

const OWN_EMAILS = ['receipt', 'links', 'alert', 'invitation'];

/** Whether the details of an e-mail with new links name only links of this organisation. */
function hasOwnLinks(details: string | null, orgId: string): boolean {
  try {
    const { links } = JSON.parse(details ?? '{}');
    return (
      Array.isArray(links) && links.every((link) => link?.orgId === orgId && areIds(String(link.linkId)))
    );
  } catch {
    return false;
  }
}

function isRelease(text: string): boolean {
  try {
    return parseRelease(text) !== null;
  } catch {
    return false;
  }
}
