import type { PurchaseRow } from '@handover/domain';
import { bearer, type TestShop } from './open-test-shop.ts';

export type Fields = readonly (readonly [name: string, value: string])[];

/** A form that records a sale to a new customer. Undefined takes a field out. */
export function saleFields(
  testShop: TestShop,
  changes: Readonly<Record<string, string | undefined>> = {},
): Fields {
  const whole = {
    customerId: 'new',
    'newCustomer.name': 'Ana Lima',
    'newCustomer.email': 'ana@example.com',
    productId: testShop.shop.product.id,
    amount: '49.00',
    currency: 'EUR',
    paymentMethod: 'custom',
    ...changes,
  };
  return Object.entries(whole).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}

export interface Encoded {
  readonly headers: { readonly 'content-type': string };
  readonly payload: string | Buffer;
}

export function asUrlencoded(fields: Fields): Encoded {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
  };
}

export function asMultipart(fields: Fields, boundary = 'sale-form'): Encoded {
  const parts = fields.map(([name, value]) => {
    const escaped = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
    return `--${boundary}\r\ncontent-disposition: form-data; name="${escaped}"\r\n\r\n${value}\r\n`;
  });
  return rawMultipart(`${parts.join('')}--${boundary}--\r\n`, boundary);
}

export function rawMultipart(payload: string | Buffer, boundary = 'sale-form'): Encoded {
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, payload };
}

export const encodings: readonly [string, (fields: Fields) => Encoded][] = [
  ['urlencoded', asUrlencoded],
  ['multipart', asMultipart],
];

export function post(
  { app, shop }: TestShop,
  {
    headers,
    payload,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly payload?: string | Buffer },
  key: string | null = shop.ownerKey,
) {
  return app.inject({
    method: 'POST',
    url: '/api/purchases',
    headers: { ...(key === null ? {} : bearer(key)), ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
}

export function sendSale(
  testShop: TestShop,
  changes: Readonly<Record<string, string | undefined>> = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const form = asUrlencoded(saleFields(testShop, changes));
  return post(testShop, { ...form, headers: { ...form.headers, ...headers } });
}

export async function listSales({ stores, shop }: TestShop): Promise<readonly PurchaseRow[]> {
  const rows: PurchaseRow[] = [];
  for await (const row of stores.purchases.list(shop.orgId)) rows.push(row);
  return rows;
}

/** The fields that an answer names. */
export function namedFields(body: string): readonly string[] {
  return [...body.matchAll(/data-field="([^"]*)"/g)].map(([, field]) => field ?? '');
}
