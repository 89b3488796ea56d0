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

  it('reads nothing of a refused request', () => {
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

  it('uses the time of receipt, not the current time', () => {
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

  it('gives translation only the kept headers', () => {
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

  it('reports an unreadable body when a parser or translator throws, with the error', () => {
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

  it('reports a body without any event', () => {
    expect(receive(fakePlatform, INBOUND, CONNECTIONS)).toEqual({
      kind: 'translated',
      connectionId: 'main',
      entries: [],
    });
  });

  it('delivers the other events of a batch with a bad one, which is an error', () => {
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
