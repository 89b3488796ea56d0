import { normalizeSku } from '@handover/domain';
import type { ShopCatalogue } from '@handover/domain/memory';
import type { Database } from './database.ts';
import { toTime } from './database.ts';

/** Adds the shop, or replaces its catalogue. Versions are never removed: buyers keep theirs. */
export function putShop(database: Database, shop: ShopCatalogue): void {
  const { id: orgId, name, email, products, mappings = [] } = shop;
  database.inTransaction(() => {
    database.run(
      `insert into shops values (:orgId, :name, :email, :currency, :expiresAt, 1)
       on conflict (org_id) do update set name = excluded.name, email = excluded.email,
         default_currency = excluded.default_currency,
         subscription_expires_at = excluded.subscription_expires_at, revision = revision + 1`,
      {
        orgId,
        name,
        email,
        currency: shop.defaultCurrency ?? null,
        expiresAt: toTime(shop.subscriptionExpiresAt),
      },
    );
    database.run('delete from products where org_id = :orgId', { orgId });
    database.run('delete from mappings where org_id = :orgId', { orgId });
    for (const { id, name, slug, status, version } of products) {
      database.run('insert into products values (:orgId, :id, :name, :slug, :status, :versionId)', {
        orgId,
        id,
        name,
        slug,
        status,
        versionId: version?.id ?? null,
      });
      if (version)
        database.run(
          'insert into versions values (:orgId, :id, :label, :fileCount, :totalSize) on conflict do nothing',
          {
            orgId,
            id: version.id,
            label: version.label,
            fileCount: version.files.length,
            totalSize: version.files.reduce((sum, { size }) => sum + size, 0),
          },
        );
    }
    for (const { sku, platform, productId } of mappings)
      database.run('insert into mappings values (:orgId, :sku, :platform, :productId)', {
        orgId,
        sku: normalizeSku(sku),
        platform,
        productId,
      });
  });
}
