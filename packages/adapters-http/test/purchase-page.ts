import type { OpenedDashboard } from './open-dashboard.ts';

/** The titles of the entries on the page of a purchase. */
export function titlesOf(body: string): readonly string[] {
  const list = /<ol class="timeline">([\s\S]*?)<\/ol>/.exec(body)?.[1] ?? '';
  return [...list.matchAll(/<h3>([^<]*)<\/h3>/g)].map(([, title = '']) => title);
}

export async function listSales(dashboard: OpenedDashboard) {
  const all = { text: '', productId: null, customerId: null, source: null, receipt: null, before: null };
  return dashboard.ports.purchases.search(dashboard.shop.orgId, { ...all, limit: 100 });
}
