import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findProblem } from '../src/transfer/check-rows.ts';
import { TRANSFERRED } from '../src/transfer/transferred-tables.ts';

const ORG = '0199b6ee-0000-7000-8000-000000000001';
const OTHER = '0199b6ee-0000-7000-8000-000000000002';
const ID = '0199b6ee-0000-7000-8000-000000000003';

function check(
  table: string,
  row: Readonly<Record<string, string | null>>,
  types: Record<string, string> = {},
) {
  const columns = Object.keys(row).map((name) => ({ name, type: types[name] ?? 'text' }));
  return findProblem(ORG, table, columns, Object.values(row));
}

const own = { org_id: ORG };
const mail = { ...own, id: ID, details: null };
const links = (orgId: string) => JSON.stringify({ links: [{ orgId, linkId: ID }], leftOut: false });
const organisation = { id: ORG, language: 'de', time_zone: 'Europe/Berlin' };
const job = { ...own, kind: 'send-email', lane: 'mails', subject: ID };

it.each([
  ['organisations', organisation],
  ['organisations', { ...organisation, language: 'en', time_zone: 'UTC' }],
  ['users', { ...own, email: 'Mira@Example.com', email_normalized: 'mira@example.com' }],
  ['api_keys', { user_id: ID, scopes: '{products:read,reports:read}' }],
  ['api_keys', { user_id: ID, scopes: '{}' }],
  ['api_keys', { user_id: ID, scopes: null }],
  ['invitations', { ...own, role: 'admin' }],
  ['connections', { ...own, platform: 'checkout-a-classic' }],
  ['sku_mappings', { ...own, platform: '' }],
  ['outgoing_emails', { ...mail, kind: 'receipt' }],
  ['outgoing_emails', { ...mail, kind: 'links', details: links(ORG) }],
  ['jobs', job],
  ['jobs', { ...job, kind: 'release-entries', lane: 'reruns', subject: 'sku * felt piano' }],
])('accepts what an organisation has: %s %j', (table, row) => {
  expect(check(table, row)).toBe(null);
});

it.each([
  ['products', { org_id: OTHER }, 'of another organisation'],
  ['products', { name: 'Felt Piano' }, 'of another organisation'],
  ['organisations', { ...organisation, id: OTHER }, 'of another organisation'],
  // A mail to the buyers of several shops would fail.
  ['organisations', { ...organisation, language: 'xx' }, 'language'],
  ['organisations', { ...organisation, time_zone: 'Mars/Olympus' }, 'time_zone'],
  // Who signs in with one address, or asks for their purchases, would be mailed at another.
  ['users', { ...own, email: 'thief@evil.test', email_normalized: 'mira@example.com' }, 'email_normalized'],
  [
    'customers',
    { ...own, email: 'thief@evil.test', email_normalized: 'mira@example.com' },
    'email_normalized',
  ],
  [
    'invitations',
    { ...own, role: 'member', email: 'a@b.test', email_normalized: 'c@d.test' },
    'email_normalized',
  ],
  ['invitations', { ...own, role: 'operator' }, 'role'],
  ['api_keys', { user_id: ID, scopes: '{everything}' }, 'scopes'],
  ['connections', { ...own, platform: 'label"} 1\n' }, 'platform'],
  // They are prepared from rows of users and mailboxes, whatever organisation the mail names.
  ['outgoing_emails', { ...mail, kind: 'sign-in' }, 'of a user'],
  ['outgoing_emails', { ...mail, kind: 'new-device' }, 'of a user'],
  ['outgoing_emails', { ...mail, kind: 'links' }, 'links of others'],
  ['outgoing_emails', { ...mail, kind: 'links', details: 'null' }, 'links of others'],
  ['outgoing_emails', { ...mail, kind: 'links', details: links(OTHER) }, 'links of others'],
  ['jobs', { ...job, kind: 'anything' }, 'kind or lane'],
  ['jobs', { ...job, lane: 'toString' }, 'kind or lane'],
  ['jobs', { ...job, subject: 'anything' }, 'subject'],
  ['jobs', { ...job, kind: 'release-entries', subject: 'anything' }, 'subject'],
])('refuses what would reach others: %s %j', (table, row, problem) => {
  expect(check(table, row)).toContain(problem);
});

it('refuses rows of another organisation in every table', () => {
  const tables = TRANSFERRED.filter(({ ofOrganisation }) => ofOrganisation !== null);
  const names = tables.map(({ name }) => name).filter((name) => name !== 'api_keys');
  expect(names.length).toBeGreaterThan(25);
  for (const name of names)
    expect(check(name, { id: OTHER, org_id: OTHER })).toBe('it is of another organisation');
});

it('refuses the nil id, which stands for no organisation', () => {
  const nil = '00000000-0000-0000-0000-000000000000';
  const columns = Object.keys(organisation).map((name) => ({ name, type: 'text' }));
  expect(findProblem(nil, 'organisations', columns, [nil, 'en', 'UTC'])).toContain('no organisation');
});

it.each([
  ['timestamptz', '2026-11-23 10:00:00.123+00', null],
  ['timestamptz', 'infinity', 'at is out of range'],
  ['timestamptz', '-infinity', 'at is out of range'],
  ['timestamptz', '294276-01-01 00:00:00+00', 'at is out of range'],
  ['timestamptz', '0044-03-15 00:00:00+00 BC', 'at is out of range'],
  ['numeric', '49.90', null],
  ['numeric', '-3', null],
  ['numeric', 'NaN', 'at is out of range'],
  ['numeric', 'Infinity', 'at is out of range'],
  ['numeric', '9'.repeat(61), 'at is out of range'],
])('takes of %s %s only what a program can read', (type, at, problem) => {
  expect(check('activity', { ...own, at }, { at: type })).toBe(problem);
});

it('refuses any row of another organisation, and any of another width', () => {
  const values = fc.array(fc.option(fc.string()), { maxLength: 6 });
  const columns = [
    { name: 'id', type: 'uuid' },
    { name: 'org_id', type: 'uuid' },
  ];
  fc.assert(
    fc.property(values, (row) => {
      const isOwn = row.length === 2 && row[1] === ORG;
      expect(findProblem(ORG, 'products', columns, row) === null).toBe(isOwn);
    }),
  );
});
