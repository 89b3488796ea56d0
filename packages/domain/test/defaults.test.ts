import { createHmacTokens, createSystemClock, createUuids } from '@handover/domain';
import { createManualClock } from '@handover/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const SECRET = 'a secret of thirty-two characters';

describe('ids', () => {
  test('are of UUIDv7, each its own, in the order in which they were made', () => {
    const clock = createManualClock();
    const ids = createUuids(clock);
    const made: string[] = [];
    for (const step of [0, 1, 0, -5, 1000]) {
      clock.advance(step);
      for (let count = 0; count < 5000; count += 1) made.push(ids.next());
    }
    expect(
      made.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true);
    expect(made).toEqual([...made].sort());
    expect(new Set(made).size).toBe(made.length);
  });

  test('say when they were made', () => {
    const clock = createManualClock();
    const time = createUuids(clock).next().replace('-', '').slice(0, 12);
    expect(Number.parseInt(time, 16)).toBe(clock.now().getTime());
  });
});

describe('the clock', () => {
  test('is the machine’s', () => {
    const before = Date.now();
    const now = createSystemClock().now().getTime();
    expect(now >= before && now <= Date.now()).toBe(true);
  });
});

describe('tokens', () => {
  test('give back the ids that they were made of, whatever characters these have', async () => {
    const tokens = createHmacTokens({ secret: SECRET });
    const id = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(id, id, async (orgId, linkId) => {
        const token = await tokens.seal(orgId, linkId);
        expect(await tokens.open(token)).toEqual({ orgId, linkId });
      }),
    );
  });

  test('open in one spelling alone', async () => {
    const tokens = createHmacTokens({ secret: SECRET });
    const token = await tokens.seal('lumen', 'link');
    const [orgId, linkId, mac = ''] = token.split('.');
    const others = [
      ...[
        `${orgId}.other.${mac}`,
        `other.${linkId}.${mac}`,
        `${orgId}.${linkId}`,
        `${token}.`,
        '',
        '%',
        '..',
      ],
      ...[
        `${orgId}.${linkId}.${mac.toUpperCase()}x`,
        `${orgId}.%6cink.${mac}`,
        `${token}0`,
        token.slice(0, -1),
      ],
    ];
    for (const other of others) expect([other, await tokens.open(other)]).toEqual([other, null]);
  });

  test('of another secret are unknown, and without one those of another process', async () => {
    const token = await createHmacTokens({ secret: SECRET }).seal('lumen', 'link');
    expect(await createHmacTokens({ secret: `${SECRET}.` }).open(token)).toBe(null);
    const own = await createHmacTokens().seal('lumen', 'link');
    expect(await createHmacTokens().open(own)).toBe(null);
  });

  test('are HMAC-SHA-256, so that another program can make them', async () => {
    const { createHmac } = await import('node:crypto');
    const mac = createHmac('sha256', SECRET).update('lumen.link').digest('hex').slice(0, 32);
    expect(await createHmacTokens({ secret: SECRET }).seal('lumen', 'link')).toBe(`lumen.link.${mac}`);
  });

  test('want a secret that cannot be guessed', () => {
    expect(() => createHmacTokens({ secret: 'short' })).toThrow(
      expect.objectContaining({
        code: 'short-secret',
        message: 'secret must have at least 32 characters.',
      }),
    );
  });
});
