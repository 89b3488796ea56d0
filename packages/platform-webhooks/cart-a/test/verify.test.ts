import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { sampleSamCart } from '../src/testing.ts';
import { receiveBody, SECRET } from './receive-body.ts';

const BODY = sampleSamCart();

describe('the secret of cart-a', () => {
  it('in the URL verifies a delivery', () => {
    expect(receiveBody(BODY, { secret: SECRET }).kind).toBe('translated');
    expect(receiveBody(BODY, { secret: [SECRET] }).kind).toBe('translated');
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
