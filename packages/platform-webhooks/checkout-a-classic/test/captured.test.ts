import { readFileSync } from 'node:fs';
import type { SampleMembers } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { sampleForm, sampleOrder } from '../src/testing.ts';
import { entryOf, orderOf } from './receive-body.ts';

const readFixture = (name: string): Uint8Array => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

const NO_PRODUCT: SampleMembers = { OrderProductNames: undefined };

describe('a captured notification of FastSpring Classic', () => {
  it('is read although its fields were encoded twice', () => {
    expect(orderOf(readFixture('encoded-twice.form'), {})).toMatchObject({
      orderId: 'EXA261009-1234-56789',
      customer: { email: 'buyer@example.com', name: 'Noa Berg' },
      total: '49.0',
      lines: [{ candidates: [{ value: 'Felt Piano' }] }],
    });
  });

  it('keeps the whole text beside the names that it may contain', () => {
    const named = (changes: SampleMembers) =>
      orderOf(sampleForm(changes)).lines.map(({ candidates, listedIn }) => [candidates[0]?.value, listedIn]);
    const text = 'Felt Piano, Grand';
    expect(named({ OrderProductNames: text })).toEqual([
      ['Felt Piano', text],
      ['Grand', text],
    ]);
    expect(named({ OrderProductNames: 'Felt Piano' })).toEqual([['Felt Piano', undefined]]);
    expect(named({ productPath: '/a,/b' })).toEqual([
      ['a', undefined],
      ['b', undefined],
    ]);
  });

  it('keeps a percent sign where nothing was encoded twice', () => {
    const order = orderOf(sampleForm({ OrderProductNames: 'Pads%20', CustomerFirstName: '100%' }));
    expect(order.customer).toEqual({ email: 'buyer@example.com', name: '100% Berg' });
    expect(order.lines[0]?.candidates).toEqual([{ kind: 'sku', value: 'Pads%20' }]);
  });

  it('keeps text that cannot be decoded', () => {
    const order = orderOf(sampleOrder({ email: 'a%40example.com', firstName: '100%' }));
    expect(order.customer).toEqual({ email: 'a@example.com', name: '100% Berg' });
  });

  it('is an error, not ignored, where reference, buyer and product have unknown names', () => {
    expect(entryOf(readFixture('own-names.form'), {})).toEqual({
      kind: 'error',
      orderId: 'EXA261009-1234-56789',
      reason: expect.stringMatching(/field names that are not known here.*template/),
    });
  });

  it('is an error, not ignored, where the address under such a name was encoded twice', () => {
    const fields = { ref: 'EXA261009-1234-56789', who: 'buyer%40example.com', what: 'PAD-1' };
    expect(entryOf(encode(new URLSearchParams(fields).toString()))).toMatchObject({
      kind: 'error',
      orderId: 'EXA261009-1234-56789',
    });
  });

  it('is searched only up to the size of an order', () => {
    const addressAfter = (count: number) => {
      const members = Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, ['x']]));
      return encode(JSON.stringify({ OrderID: 'EXA1-2-3', ...members, mail: 'a@x.com' }));
    };
    expect(entryOf(addressAfter(300)).kind).toBe('error');
    expect(entryOf(addressAfter(9_000)).kind).toBe('ignored');
  });

  const NESTED = {
    order: { reference: 'EXA1-2-3', purchaser: { email: 'a@x.com' }, items: { item: [{ product: 'A' }] } },
  };

  it.each<[string, Uint8Array, string, string]>([
    [
      'a product under a name of its own',
      sampleForm({ ...NO_PRODUCT, thing: 'Felt Piano' }),
      'error',
      'names',
    ],
    ['the vendor’s XML names', encode(JSON.stringify(NESTED)), 'error', 'names'],
    ['known products, an unknown reference', encode('ref=EXA1-2-3&email=a@x.com&sku=A'), 'error', 'names'],
    ['an item that is in no list', sampleForm({ ...NO_PRODUCT, 'items[sku]': 'A' }), 'error', 'names'],
    ['items that are only names', sampleForm({ ...NO_PRODUCT, 'items[]': 'A' }), 'error', 'names'],
    ['known names only', sampleForm(NO_PRODUCT), 'ignored', 'names no product'],
    [
      'unknown names that are blank',
      sampleForm({ ...NO_PRODUCT, thing: ' ' }),
      'ignored',
      'names no product',
    ],
    ['no buyer', encode('OrderID=EXA1-2-3&thing=A'), 'ignored', 'names no product'],
    [
      'a subscription of its own names',
      encode('ref=EXA1-2-3S&mail=a@x.com&plan=A'),
      'ignored',
      'subscription',
    ],
    ['a return of its own names', encode('ref=EXA1-2-3X&mail=a@x.com&thing=A'), 'ignored', 'return'],
    ['a failed order', encode('ref=EXA1-2-3&mail=a@x.com&thing=A&status=failed'), 'ignored', 'failed'],
    ['dates and versions', encode('day=2026-10-09&mail=a@x.com&thing=A'), 'ignored', 'no order reference'],
  ])('with %s is distinguished', (_case, body, kind, reason) => {
    expect(entryOf(body)).toMatchObject({ kind, reason: expect.stringContaining(reason) });
  });
});
