import type { SampleMembers } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTenantRef } from '../src/index.ts';
import { sampleEvent } from '../src/testing.ts';

const UNNAMED = 'The event names neither an account nor, in its metadata, an org_id.';
const UNREADABLE = 'The event names an account that cannot be read.';

function tenantRefOf(metadata: unknown, event: SampleMembers = {}) {
  return readTenantRef(sampleEvent({ metadata }, event));
}

describe('the organisation of an event of payments-a', () => {
  it.each([
    ['org_id', { org_id: 'org-7' }, 'org-7'],
    ['orgId', { orgId: 'org-8' }, 'org-8'],
    ['org_id where both are there', { orgId: 'org-8', org_id: ' org-7 ' }, 'org-7'],
    ['orgId where the other is blank', { orgId: 'org-8', org_id: ' ' }, 'org-8'],
  ])('is named by %s', (_case, metadata, orgId) => {
    expect(tenantRefOf(metadata)).toEqual({ kind: 'organisation', orgId });
    expect(tenantRefOf(metadata, { account: null })).toEqual({ kind: 'organisation', orgId });
  });

  it('is named by the account alone, whatever the metadata says', () => {
    const account = { kind: 'account', account: 'acct_1' };
    expect(tenantRefOf({ org_id: 'org-7' }, { account: 'acct_1' })).toEqual(account);
    expect(tenantRefOf({}, { account: 'acct_1' })).toEqual(account);
  });

  it.each([
    ['blank', ' '],
    ['empty', ''],
    ['an object', { id: 'acct_1' }],
    ['a list', ['acct_1']],
    ['false', false],
  ])('is unknown where the account is %s: metadata is ignored beside it', (_case, account) => {
    expect(tenantRefOf({ org_id: 'org-7' }, { account })).toEqual({ kind: 'nobody', reason: UNREADABLE });
  });

  it.each([
    ['no metadata', null],
    ['empty metadata', {}],
    ['metadata of another kind', 'org-7'],
    ['an id that is not text', { org_id: { id: 'org-7' } }],
  ])('is unknown with %s', (_case, metadata) => {
    expect(tenantRefOf(metadata)).toEqual({ kind: 'nobody', reason: UNNAMED });
  });

  it.each<[unknown, object]>([
    ['acct_1', { kind: 'account', account: 'acct_1' }],
    ['org_2/acct_1', { kind: 'account', account: 'acct_1' }],
    [null, { kind: 'nobody', reason: UNNAMED }],
    [{ id: 'acct_1' }, { kind: 'nobody', reason: UNREADABLE }],
  ])('is named by the context of a thin event: %j', (context, expected) => {
    expect(readTenantRef(encode(JSON.stringify({ object: 'v2.core.event', context })))).toEqual(expected);
  });

  it.each<[unknown, object]>([
    ['acct_1', { kind: 'account', account: 'acct_1' }],
    ['org_2/acct_1', { kind: 'account', account: 'acct_1' }],
    ['org_2', { kind: 'nobody', reason: UNNAMED }],
    [{ id: 'acct_1' }, { kind: 'nobody', reason: UNNAMED }],
    [null, { kind: 'nobody', reason: UNNAMED }],
  ])('is named by the context of an event that names neither account nor org_id: %j', (context, expected) => {
    expect(tenantRefOf({}, { context })).toEqual(expected);
    expect(tenantRefOf({}, { context, account: null })).toEqual(expected);
    expect(tenantRefOf({ org_id: 'org-7' }, { context })).toEqual({ kind: 'organisation', orgId: 'org-7' });
    expect(tenantRefOf({}, { context, account: 'acct_2' })).toEqual({ kind: 'account', account: 'acct_2' });
  });

  it('is not named by text that a buyer can write', () => {
    const session = {
      client_reference_id: 'org-7',
      custom_fields: [{ key: 'org_id', text: 'org-7' }],
      metadata: {},
    };
    expect(readTenantRef(sampleEvent(session)).kind).toBe('nobody');
  });

  it('is not named beside the session', () => {
    expect(tenantRefOf({}, { metadata: { org_id: 'org-7' } }).kind).toBe('nobody');
    expect(tenantRefOf({}, { org_id: 'org-7', orgId: 'org-7' }).kind).toBe('nobody');
  });

  it.each(['', 'null', '[]', '"x"', '{"account":', '<event/>'])('is nobody for %j', (text) => {
    expect(readTenantRef(encode(text))).toEqual({ kind: 'nobody', reason: 'The body is not an event.' });
  });

  it('is read without an error, and never from metadata beside an account', () => {
    const account = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(account, (value) => {
        const { kind } = tenantRefOf({ org_id: 'org-7' }, { account: value });
        expect(kind === 'organisation').toBe(value === null);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(readTenantRef(bytes).kind).toBe('nobody');
      }),
    );
  });
});
