import { createRejectedReader, receive } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { cartA } from '../src/index.ts';
import { sampleSamCart } from '../src/testing.ts';
import { receiveBody, SECRET } from './receive-body.ts';

const BODY = sampleSamCart();

describe('the secret of cart-a', () => {
  it('in the URL verifies a delivery', () => {
    expect(receiveBody(BODY, { secret: SECRET }).kind).toBe('translated');
    expect(receiveBody(BODY, { secret: [SECRET] }).kind).toBe('translated');
  });

  it('with a plus verifies a delivery, whether the URL holds it encoded or as it is', () => {
    const receiveAt = (url: string) => {
      const query = Object.fromEntries(new URL(url, 'https://example.com').searchParams);
      const connections = [{ id: 'con', secrets: ['Zm9v+YmFy/YmF6+cXV4=='] }];
      return receive(
        cartA,
        { platform: 'cart-a', body: BODY, headers: {}, query, receivedAt: new Date(0) },
        connections,
      );
    };
    expect(receiveAt('?secret=Zm9v+YmFy/YmF6+cXV4==').kind).toBe('translated');
    expect(receiveAt('?secret=Zm9v%2BYmFy%2FYmF6%2BcXV4%3D%3D').kind).toBe('translated');
    expect(receiveAt('?secret=Zm9vYmFy/YmF6cXV4==').kind).toBe('refused');
  });

  it('that fits exactly decides, where another one differs by a plus alone', () => {
    const connections = [
      { id: 'plus', secrets: ['Zm9v+YmFy+YmF6+cXV4'] },
      { id: 'blank', secrets: ['Zm9v YmFy YmF6 cXV4'] },
    ];
    const receiveWith = (secret: string) =>
      receive(
        cartA,
        { platform: 'cart-a', body: BODY, headers: {}, query: { secret }, receivedAt: new Date(0) },
        connections,
      );
    expect(receiveWith('Zm9v+YmFy+YmF6+cXV4')).toMatchObject({ connectionId: 'plus' });
    expect(receiveWith('Zm9v YmFy YmF6 cXV4')).toMatchObject({ connectionId: 'blank' });
  });

  it('with a plus that the URL held as it is verifies a rejected delivery once it is set', () => {
    const rejected = {
      id: 'rejected',
      source: 'network',
      reason: 'The signature fits none of the secrets that are set up.',
      orgId: 'org',
      platform: 'cart-a',
      receivedAt: new Date(0),
      bytes: BODY,
      headers: {},
      secretFingerprint: 'Zm9v YmFy',
    };
    const fingerprints = {
      matches: (_orgId: string, secret: string, fingerprint: string) => secret === fingerprint,
    };
    const { read } = createRejectedReader({ 'cart-a': cartA }, fingerprints);
    const rules = { strict: false, ignoreTestOrders: false, defaultCurrency: null };
    const shop = { id: 'con', name: 'main', rules };
    expect(read(rejected, [{ ...shop, secrets: ['Zm9v+YmFy'] }])).toMatchObject({ connectionId: 'con' });
    expect(read(rejected, [{ ...shop, secrets: ['Zm9v-YmFy'] }])).toBe(null);
    const other = { ...shop, id: 'other', secrets: ['Zm9v YmFy'] };
    expect(read(rejected, [{ ...shop, secrets: ['Zm9v+YmFy'] }, other])).toMatchObject({
      connectionId: 'other',
    });
  });

  it.each([
    ['none', {}, 'The webhook URL holds no secret.'],
    ['an empty one', { secret: '' }, 'The webhook URL holds no secret.'],
    ['a blank one', { secret: ' ' }, 'The webhook URL holds no secret.'],
    ['two of them', { secret: [SECRET, SECRET] }, 'The webhook URL holds more than one secret.'],
    ['a right and a wrong one', { secret: ['x', SECRET] }, 'The webhook URL holds more than one secret.'],
    [
      'one in other letters',
      { secret: 'Test-Secret' },
      'The signature fits none of the secrets that are set up.',
    ],
    ['one under another name', { Secret: SECRET }, 'The webhook URL holds no secret.'],
  ])('%s: refused', (_case, query, reason) => {
    expect(receiveBody(BODY, query)).toEqual({ kind: 'refused', reason });
  });

  it('never appears in the result', () => {
    const bodies = [
      BODY,
      encode(''),
      encode('{'),
      encode('[]'),
      encode('<x/>'),
      sampleSamCart({ type: 'Refund' }),
    ];
    const queries = [{ secret: SECRET }, { secret: `${SECRET}2` }, { secret: [SECRET, SECRET] }];
    const receptions = bodies.flatMap((body) => queries.map((query) => receiveBody(body, query)));
    expect(JSON.stringify(receptions)).not.toContain(SECRET);
  });
});
