import type { HttpPorts } from '../../http-ports.ts';
import { titleOfEntry } from '../log/format-entry.ts';
import type { FoundPage } from './find-pages.ts';

type Ports = Pick<HttpPorts, 'deliveries' | 'platforms' | 'products' | 'purchases'>;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The page of what an id names, as the API, the CSVs and the command line write it. Members see no sales. */
export async function findById(
  ports: Ports,
  orgId: string,
  text: string,
  isMember: boolean,
): Promise<readonly FoundPage[]> {
  const id = text.trim().toLowerCase();
  if (!ID.test(id)) return [];
  const [product, sales] = await Promise.all([
    ports.products.find(orgId, id),
    isMember ? [] : findSales(ports, orgId, id),
  ]);
  if (!product) return sales;
  return [{ href: `/dashboard/products/${id}`, words: product.name, within: 'Product' }, ...sales];
}

async function findSales(
  { deliveries, platforms, purchases }: Ports,
  orgId: string,
  id: string,
): Promise<readonly FoundPage[]> {
  const ofBuyer = { text: '', productId: null, customerId: id, source: null, receipt: null, before: null };
  const [purchase, entry, [bought]] = await Promise.all([
    purchases.show(orgId, id),
    deliveries.show(orgId, id),
    purchases.search(orgId, { ...ofBuyer, limit: 1 }),
  ]);
  const found: (FoundPage | null)[] = [
    purchase && {
      href: `/dashboard/purchases/${id}`,
      words: `${purchase.productName} for ${purchase.customerName}`,
      within: 'Purchase',
    },
    entry && {
      href: `/dashboard/webhook-log/${id}`,
      words: titleOfEntry(platforms, entry),
      within: 'Webhook log',
    },
    bought
      ? { href: `/dashboard/purchases?customer=${id}`, words: bought.customerName, within: 'Buyer' }
      : null,
  ];
  return found.filter((page) => page !== null);
}
