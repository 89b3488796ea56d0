import type { Caller } from '@handover/domain';
import {
  authorise,
  createOrganisation,
  createUser,
  identifyCaller,
  normalizeEmail,
  readEmail,
  setIntegrationSecret,
} from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import { createCountingIds, createFakeApiKeys, createManualClock } from '@handover/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';

const clock = createManualClock();
const caller = (role: 'owner' | 'admin' | 'member', subscriptionExpiresAt: Date | null = null): Caller => ({
  userId: 'u',
  email: 'u@example.com',
  membership: { orgId: 'o', role, subscriptionExpiresAt },
});

describe('a caller', () => {
  it.each([
    [caller('owner'), 'admin', 'allowed'],
    [caller('admin'), 'admin', 'allowed'],
    [caller('member'), 'admin', 'role'],
    [caller('member'), 'member', 'allowed'],
    [caller('owner', clock.now()), 'member', 'subscription-expired'],
    [caller('owner', new Date(clock.now().getTime() + 1)), 'member', 'allowed'],
    [{ userId: 'u', email: 'u@example.com', membership: null }, 'member', 'no-organisation'],
  ] as const)('%j asking for %s work: %s', (who, work, expected) => {
    const evaluated = authorise(who, work, { clock });
    expect(evaluated.kind === 'allowed' ? 'allowed' : evaluated.reason).toBe(expected);
  });

  it('with a junk key costs no look-up', async () => {
    const users = {
      add: () => Promise.reject(),
      find: () => Promise.reject(),
      findKey: () => Promise.reject(),
      replaceKey: () => Promise.reject(),
      findByKeyHash: () => Promise.reject(new Error('looked up')),
    };
    expect(await identifyCaller({ apiKeys: createFakeApiKeys(), users, clock }, 'junk')).toEqual({
      kind: 'unknown',
    });
  });
});

describe('an e-mail address', () => {
  it.each(['a@b', 'Jo.Reed+x@example.co.uk', 'ü@müller.example', "o'neil@example.com", 'ana@gmail\uff0ecom'])(
    'may be %j',
    (text) => {
      expect(readEmail(` ${text} `)).toBe(text);
    },
  );

  it.each([
    null,
    '',
    ' ',
    'a',
    '@b',
    'a@',
    'a@b@c',
    'a b@c',
    'a@b\r\nBcc: x@y',
    'a@b,c@d',
    '<a@b>',
    `${'a'.repeat(260)}@b.c`,
    'ana@gmail\u2024com',
    'ana@mail.gmail\u2026com',
    'ana@gmail\ufe52com',
  ])('may not be %j', (text) => expect(readEmail(text)).toBeNull());

  it('never lets through what could end a mail header', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const email = readEmail(text);
        if (email !== null) expect(email).not.toMatch(/[\s\p{C},;<>"]/u);
      }),
    );
  });

  it('is one person in any spelling', () => {
    expect(normalizeEmail(' Jo@Example.COM')).toBe(normalizeEmail('jo@example.com'));
  });
});

describe('setting up', () => {
  const stores = createInMemoryStores();
  const ports = { ...stores, clock, ids: createCountingIds(), apiKeys: createFakeApiKeys() };

  it.each([
    ['name', { name: '', ownerEmail: 'a@b.c' }],
    ['owner-email', { name: 'Shop', ownerEmail: 'nobody' }],
  ])('an organisation needs its %s', async (field, input) => {
    expect(await createOrganisation(ports, input)).toMatchObject({ kind: 'invalid', field });
  });

  it('an organisation hears of all that is wrong at once', async () => {
    const wrong = { name: '', ownerEmail: 'nobody', ownerName: ' ', currency: 'EURO' };
    expect(await createOrganisation(ports, wrong)).toMatchObject({
      problems: [{ field: 'name' }, { field: 'owner-email' }, { field: 'owner-name' }, { field: 'currency' }],
    });
  });

  it('a user needs an address', async () => {
    const created = await createUser(ports, { email: 'x', name: null, membership: null });
    expect(created).toMatchObject({ kind: 'invalid', field: 'email' });
  });

  it.each(['', '   '])('a connection refuses the empty secret %j', async (secret) => {
    const set = await setIntegrationSecret(ports, { orgId: 'o', platform: 'cart-a', name: 'main', secret });
    expect(set).toMatchObject({ kind: 'invalid', field: 'secret' });
  });
});
