import { expect } from 'vitest';
import { undoLater } from '../../../test/undo.ts';
import { decodeHtml, type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';

export const BULK = '/dashboard/purchases/bulk';

export async function openSales() {
  const dashboard = await openDashboard();
  const sold = [];
  for (const number of ['1001', '1002', '1003']) {
    const customer = { name: `Buyer ${number}`, email: `b${number}@example.com` };
    const sale = await deliverOrder(dashboard, { orderId: number, orderNumber: `#${number}`, customer });
    await completeReceipt(dashboard, sale.receiptId, 'sent', 'ok');
    sold.push(sale.purchaseId);
  }
  return { ...dashboard, sold, owner: await dashboard.signIn('owner') };
}

export type Opened = Awaited<ReturnType<typeof openSales>>;

export function ask(
  { owner }: Opened,
  action: string,
  ids: readonly string[],
  more: Record<string, string> = {},
) {
  const query = new URLSearchParams({ action, ...more });
  for (const id of ids) query.append('id', id);
  return owner.get(`${BULK}?${query}`);
}

/** Presses the button of a page that asks. */
export async function press({ app, owner }: Opened, body: string) {
  const fields = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const form = new URLSearchParams(
    fields.map(([, name = '', value = '']) => [name, decodeHtml(value)] as [string, string]),
  );
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = {
    cookie,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const { statusCode, headers: answered } = await app.inject({
    method: 'POST',
    url: BULK,
    headers,
    payload: form.toString(),
  });
  expect(statusCode).toBe(303);
  return owner.get(String(answered.location));
}

/** As a page that asked again would hold it. */
export function withKey(body: string, key = '00000000-0000-7000-8000-0000000000fe'): string {
  return body.replace(/name="key" value="[^"]+"/, `name="key" value="${key}"`);
}

/** A page that asks about all that match, of which there are too many for one transaction. */
export async function askForMany(
  opened: Opened,
  action = 'revoke',
  filters: Readonly<Record<string, string>> = { source: 'storefront-a' },
) {
  const { search, countMatching } = opened.ports.purchases;
  const one = await opened.ports.purchases.show(opened.shop.orgId, opened.sold[0] ?? '');
  opened.ports.purchases.search = async () => Array.from({ length: 501 }, () => one) as never;
  opened.ports.purchases.countMatching = async () => 501;
  undoLater(() => {
    opened.ports.purchases.countMatching = countMatching;
  });
  const asked = await ask(opened, action, [], { all: 'yes', ...filters });
  opened.ports.purchases.search = search;
  return asked;
}

export async function readStates({ ports, shop, sold }: Pick<Opened, 'sold'> & OpenedDashboard) {
  const records = await Promise.all(sold.map((id) => ports.purchases.show(shop.orgId, id)));
  return records.map((record) => [record?.revokedAt === null, record?.receiptStatus]);
}
