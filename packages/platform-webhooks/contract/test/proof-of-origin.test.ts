import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type PlatformWebhook, receive, refuse } from '../src/index.ts';
import { CONNECTIONS, fakePlatform, INBOUND } from './fake-platform.ts';

const STRICT = CONNECTIONS.map((connection) => ({
  ...connection,
  rules: { strict: true, ignoreTestOrders: false, defaultCurrency: null },
}));
const FINGERPRINT = 'f'.repeat(64);

function platformWith(
  proofOfOrigin: Partial<NonNullable<PlatformWebhook['proofOfOrigin']>>,
): PlatformWebhook {
  return {
    ...fakePlatform,
    proofOfOrigin: {
      fingerprint: () => FINGERPRINT,
      checkStrictly: () => null,
      reused: { note: 'Seen before.', refusal: refuse('Was seen before.') },
      ...proofOfOrigin,
    },
  };
}

describe('a proof of origin that does not cover the body', () => {
  it('has the fingerprint and the messages for its reuse', () => {
    expect(receive(platformWith({}), INBOUND, CONNECTIONS)).toMatchObject({
      kind: 'translated',
      proof: {
        fingerprint: FINGERPRINT,
        bodySha256: createHash('sha256').update(INBOUND.body).digest('hex'),
        whenReused: { kind: 'note', note: 'Seen before.' },
      },
    });
  });

  it('is refused on reuse by a strict connection', () => {
    const reception = receive(platformWith({}), INBOUND, STRICT);
    expect(reception).toMatchObject({
      proof: { whenReused: { kind: 'refuse', reason: 'Was seen before.' } },
    });
  });

  it('is checked strictly on a strict connection only', () => {
    const platform = platformWith({ checkStrictly: () => refuse('Too old.') });
    expect(receive(platform, INBOUND, CONNECTIONS).kind).toBe('translated');
    expect(receive(platform, INBOUND, STRICT)).toEqual({ kind: 'refused', reason: 'Too old.' });
  });

  it.each([
    ['fingerprint', CONNECTIONS],
    ['checkStrictly', STRICT],
  ])('is refused if its platform throws in %s', (method, connections) => {
    const fails = () => {
      throw new Error('a platform of another team');
    };
    expect(receive(platformWith({ [method]: fails }), INBOUND, connections)).toEqual({
      kind: 'refused',
      reason: 'The signature could not be checked.',
    });
  });

  it('belongs to unreadable bodies as well', () => {
    const platform = {
      ...platformWith({}),
      parse: () => ({ kind: 'unreadable', problem: 'What?' }) as const,
    };
    expect(receive(platform, INBOUND, CONNECTIONS)).toMatchObject({
      kind: 'unreadable',
      proof: { fingerprint: FINGERPRINT },
    });
  });

  it('does not exist where the signature covers the body', () => {
    expect(receive(fakePlatform, INBOUND, STRICT)).not.toHaveProperty('proof');
  });
});
