import { describe, expect, it } from 'vitest';
import { type PlatformWebhook, receive } from '../src/index.ts';
import { CONNECTIONS, fakePlatform, INBOUND, ORDER } from './fake-platform.ts';

function platformThat(members: Partial<PlatformWebhook>): PlatformWebhook {
  return { ...fakePlatform, ...members };
}

describe('receiving a request', () => {
  it('verifies, parses and translates, in that order', () => {
    const steps: string[] = [];
    const platform = platformThat({
      verify(...given) {
        steps.push('verify');
        return fakePlatform.verify(...given);
      },
      parse(...given) {
        steps.push('parse');
        return fakePlatform.parse(...given);
      },
      translate(payload) {
        steps.push(`translate ${JSON.stringify(payload)}`);
        return [{ kind: 'order', order: ORDER }];
      },
    });
    expect(receive(platform, INBOUND, CONNECTIONS)).toEqual({
      kind: 'translated',
      connectionId: 'main',
      entries: [{ kind: 'order', order: ORDER }],
    });
    expect(steps).toEqual(['verify', 'parse', 'translate {"id":"1"}']);
  });

  it('reads nothing of a request that it refuses', () => {
    // Not by throwing: what a parser throws is caught, as anything else that a body brings about.
    const read: string[] = [];
    const platform = platformThat({
      parse(...given) {
        read.push('parse');
        return fakePlatform.parse(...given);
      },
      translate(...given) {
        read.push('translate');
        return fakePlatform.translate(...given);
      },
    });
    expect(receive(platform, { ...INBOUND, headers: {} }, CONNECTIONS)).toEqual({
      kind: 'refused',
      reason: 'The signature is missing.',
    });
    expect(read).toEqual([]);
  });

  it('judges the time of receipt, not that of the clock', () => {
    const seen: Date[] = [];
    const platform = platformThat({
      verify(inbound, connections, now) {
        seen.push(now);
        return fakePlatform.verify(inbound, connections, now);
      },
    });
    receive(platform, INBOUND, CONNECTIONS);
    expect(seen).toEqual([INBOUND.receivedAt]);
  });

  it('shows translation the kept headers only', () => {
    const platform = platformThat({
      translate: (_payload, headers) => [{ kind: 'ignored', orderId: null, reason: JSON.stringify(headers) }],
    });
    expect(receive(platform, INBOUND, CONNECTIONS)).toMatchObject({
      entries: [{ reason: '{"x-topic":"sold"}' }],
    });
  });

  it('refuses when a verifier throws', () => {
    const platform = platformThat({
      verify() {
        throw new Error('broken');
      },
    });
    expect(receive(platform, INBOUND, CONNECTIONS).kind).toBe('refused');
  });

  it('finds a body unreadable when a parser or translator throws, and passes the error on', () => {
    const cause = new Error('broken');
    const broken = () => {
      throw cause;
    };
    for (const members of [{ parse: broken }, { translate: broken }]) {
      expect(receive(platformThat(members), INBOUND, CONNECTIONS)).toEqual({
        kind: 'unreadable',
        connectionId: 'main',
        problem: 'The body has a shape that this platform is not known to send.',
        cause,
      });
    }
  });

  it('passes on that a body holds no event at all', () => {
    expect(receive(fakePlatform, INBOUND, CONNECTIONS)).toEqual({
      kind: 'translated',
      connectionId: 'main',
      entries: [],
    });
  });

  it('does not let one bad event of a batch fail the others, and says that it is in error', () => {
    const bad = { ...ORDER, orderId: 'x'.repeat(201) };
    const platform = platformThat({
      translate: () => [bad, ORDER].map((order) => ({ kind: 'order', order })),
    });
    expect(receive(platform, INBOUND, CONNECTIONS)).toMatchObject({
      entries: [
        { kind: 'error', orderId: null, reason: "The order's id is longer than 200 characters." },
        { kind: 'order' },
      ],
    });
  });
});
