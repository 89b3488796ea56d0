import { describe, expect, test } from 'vitest';
import { foldAddresses, layOutForm } from '../src/dashboard/log/fold-addresses.ts';

function fold(text: string): string {
  return foldAddresses(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : '▒'))
    .join('');
}

const json = (value: unknown) => fold(JSON.stringify(value, null, 2)).replace(/\s+/g, ' ');

describe('folding of addresses', () => {
  test('takes out what says who the buyer is, wherever it stands', () => {
    expect(json({ id: 1, email: 'a@b.example', customer: { name: 'Ana', first: 'A', id: 7 } })).toBe(
      '{ "id": 1, "email": ▒, "customer": { "name": ▒, "first": ▒, "id": 7 } }',
    );
    expect(
      json({ data: { customer_details: { address: { line1: 'Rua 1', city: 'Porto' }, phone: 123 } } }),
    ).toBe('{ "data": { "customer_details": { "address": { "line1": ▒, "city": ▒ }, "phone": ▒ } } }');
  });

  test('leaves what is not about a person', () => {
    const order = {
      name: '#1001',
      line_items: [{ name: 'Pads', title: 'Pads', sku: 'P' }],
      first: 'x',
      city: null,
    };
    expect(json(order)).toBe(JSON.stringify(order, null, 2).replace(/\s+/g, ' '));
    expect(json({ email: '', phone: null })).toBe('{ "email": "", "phone": null }');
  });

  test('finds an address within any text, in lists too', () => {
    expect(
      json({ note: 'write to a@b.example', list: ['x', 'a@b.example'], url: 'https://x/?e=a%40b.example' }),
    ).toBe('{ "note": ▒, "list": [ "x", ▒ ], "url": ▒ }');
  });

  test('takes no quote or comma within a value for its end', () => {
    expect(json({ email: 'a"b@c.example, x', sku: 'a",' })).toBe('{ "email": ▒, "sku": "a\\"," }');
  });

  test('reads forms, one pair on each line', () => {
    expect(fold('sku=P&customer%5Bemail%5D=a%40b.example&customer[name]=Ana+L&order[name]=1')).toBe(
      'sku=P\ncustomer[email]=▒\ncustomer[name]=▒\norder[name]=1',
    );
    expect(layOutForm('a=1&b=%E0%A4')).toBe('a=1\nb=%E0%A4');
  });

  test('finds addresses in anything else', () => {
    expect(fold('{"email":"a@b.example","sku":"P"')).toBe('{"email":"▒","sku":"P"');
    expect(fold('<o><FirstName>Ana</FirstName><Sku>P</Sku> a@b.example</o>')).toBe(
      '<o><FirstName>▒</FirstName><Sku>P</Sku> ▒</o>',
    );
    expect(fold('{"note":"mail a@b.example now"')).toBe('{"note":"▒"');
  });
});
