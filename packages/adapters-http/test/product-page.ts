import { cookieOf, type OpenedDashboard, openDashboard, scriptTokenOf } from './open-dashboard.ts';
import { recordedDelivery } from './recorded-delivery.ts';

export type Signed = Awaited<ReturnType<OpenedDashboard['signIn']>>;

export function pageOf({ shop }: OpenedDashboard): string {
  return `/dashboard/products/${shop.product.id}`;
}

export async function withWaiting(orders: number) {
  const dashboard = await openDashboard();
  await dashboard.stores.products.change(
    dashboard.shop.orgId,
    dashboard.shop.product.id,
    { status: 'draft' },
    dashboard.clock.now(),
  );
  for (let number = 1; number <= orders; number += 1)
    await recordedDelivery(dashboard, dashboard.shop, { orderId: `${number}` });
  return dashboard;
}

export async function lastAction(dashboard: OpenedDashboard) {
  const [action] = await dashboard.ports.activity.list(dashboard.shop.orgId, {
    subjectId: null,
    before: null,
    limit: 1,
  });
  return action;
}

/** As a browser without a script sends a file. */
export async function sendForm(
  dashboard: OpenedDashboard,
  browser: Signed,
  path: string,
  name: string,
  content: string,
  token?: string,
) {
  const form = new FormData();
  form.append('form-token', token ?? (await scriptTokenOf(browser, pageOf(dashboard))));
  form.append('file', new File([content], name));
  const request = new Request('http://shop.test/', { method: 'POST', body: form });
  return dashboard.app.inject({
    method: 'POST',
    url: path,
    headers: {
      cookie: cookieOf(browser),
      'sec-fetch-site': 'same-origin',
      'content-type': request.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
}
