import { describe, expect, it } from 'vitest';
import { keepHeaders, readHeader } from '../src/index.ts';

const NAMES = ['x-storefront-a-topic', 'x-shopify-topic'];

describe('a header', () => {
  it.each([
    ['the neutral one', { 'x-storefront-a-topic': ' ours ', 'x-shopify-topic': 'theirs' }, 'ours'],
    ["the vendor's, where ours is absent", { 'x-shopify-topic': 'theirs' }, 'theirs'],
    [
      "the vendor's, where ours is blank",
      { 'x-storefront-a-topic': ' ', 'x-shopify-topic': 'theirs' },
      'theirs',
    ],
    ['none', {}, null],
  ])('is read from %s', (_case, headers, expected) => {
    expect(readHeader(headers, NAMES)).toBe(expected);
  });

  it('is kept unchanged if translation reads it, and dropped otherwise', () => {
    const headers = {
      'x-shopify-topic': 'orders/paid',
      'x-shopify-hmac-sha256': 'x',
      host: 'h',
      cookie: 'c',
    };
    expect(keepHeaders({ keptHeaders: NAMES }, headers)).toEqual({ 'x-shopify-topic': 'orders/paid' });
  });

  it.each([
    ['a list', ['orders/paid', 'orders/paid']],
    ['one text, as Node joins them', 'orders/paid, orders/paid'],
  ])('that a proxy duplicated counts once: %s', (_case, value) => {
    const headers = { 'x-shopify-topic': value };
    expect(keepHeaders({ keptHeaders: NAMES }, headers)).toEqual({ 'x-shopify-topic': 'orders/paid' });
  });

  it('with contradictory values counts as absent', () => {
    const headers = { 'x-shopify-topic': 'orders/paid, orders/create' };
    expect(keepHeaders({ keptHeaders: NAMES }, headers)).toEqual({});
  });

  it('is sanitized for storage', () => {
    const headers = { 'x-shopify-topic': 'orders\u0000/paid\ud800' };
    expect(keepHeaders({ keptHeaders: NAMES }, headers)).toEqual({ 'x-shopify-topic': 'orders/paid\ufffd' });
  });
});
