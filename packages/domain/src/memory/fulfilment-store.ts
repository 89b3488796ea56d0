import type { Job } from '../model/job.ts';
import { DEFAULT_LANGUAGE, DEFAULT_TIME_ZONE } from '../model/language.ts';
import type { Organisation } from '../model/organisation.ts';
import type { ProductFile, ProductStatus } from '../model/product.ts';
import { normalizeSku, type SkuMapping } from '../model/sku-mapping.ts';
import type { FulfilmentJob, FulfilmentStore } from '../ports/fulfilment-store.ts';
import { createMemory, jobKey, type Memory, moveRevision } from './memory.ts';
import { createInMemoryStores } from './stores.ts';

/** An organisation as fulfilment sees it: its products, their SKUs, and its name on receipts. */
export interface ShopCatalogue
  extends Pick<Organisation, 'id' | 'name' | 'email'>,
    Partial<Pick<Organisation, 'defaultCurrency' | 'subscriptionExpiresAt'>> {
  readonly products: readonly {
    readonly id: string;
    readonly name: string;
    readonly slug: string;
    readonly status: ProductStatus;
    /** The version that buyers get. Null: none yet, so its orders are held. */
    readonly version: {
      readonly id: string;
      readonly label: string;
      readonly files: readonly ProductFile[];
    } | null;
  }[];
  readonly mappings?: readonly SkuMapping[];
  /** The ids of the connections of its orders, for stores that refer to them. */
  readonly connections?: readonly string[];
}

export interface InMemoryFulfilmentStore extends FulfilmentStore {
  /** Adds the shop, or replaces its catalogue. */
  putShop(shop: ShopCatalogue): void;
  /** When a download link expires; null for an unknown link. */
  linkExpiresAt(orgId: string, linkId: string): Date | null;
}

/** A {@link FulfilmentStore} in memory, with these shops. Pass a memory to inspect its rows. */
export function createInMemoryFulfilmentStore(
  shops: readonly ShopCatalogue[] = [],
  memory: Memory = createMemory(),
): InMemoryFulfilmentStore {
  const { deliveries, fulfilment, outgoingEmails } = createInMemoryStores(memory);
  for (const shop of shops) putShop(memory, shop);
  return {
    record: deliveries.record,
    find: deliveries.find,
    ...fulfilment,
    ...outgoingEmails,
    ...createQueue(memory),
    putShop: (shop) => putShop(memory, shop),
    linkExpiresAt: (orgId, linkId) => {
      const link = memory.links.get(linkId);
      return link?.orgId === orgId ? link.expiresAt : null;
    },
  };
}

/**
 * A leased job is due again when its lease ends. The lease is of this job object: when the same job is queued again, it is
 * another object.
 */
function createQueue({ jobs }: Memory): Pick<FulfilmentStore, 'takeJob' | 'endJob'> {
  const leases = new WeakMap<Job, string>();
  let count = 0;
  return {
    takeJob: async (now, leasedUntil) => {
      const [job] = [...jobs.values()]
        .filter(isOfFulfilment)
        .filter(({ startAfter }) => startAfter <= now)
        .sort((a, b) => a.startAfter.getTime() - b.startAfter.getTime());
      if (!job) return null;
      const leased = { ...job, startAfter: leasedUntil };
      count += 1;
      const leaseId = String(count);
      leases.set(leased, leaseId);
      jobs.set(jobKey(job), leased);
      return { job, leaseId };
    },
    endJob: async ({ job, leaseId }, again) => {
      const key = jobKey(job);
      const queued = jobs.get(key);
      if (!queued || leases.get(queued) !== leaseId) return;
      if (again) jobs.set(key, { ...queued, startAfter: again });
      else jobs.delete(key);
    },
  };
}

function isOfFulfilment(job: Job): job is FulfilmentJob {
  if (job.kind === 'send-email') return job.emailKind === 'receipt';
  return job.kind === 'fulfil-delivery' || job.kind === 'resolve-delivery';
}

function putShop(memory: Memory, { products, mappings = [], connections: _, ...shop }: ShopCatalogue): void {
  const { id: orgId } = shop;
  const settings = {
    alertEmail: null,
    defaultCurrency: null,
    language: DEFAULT_LANGUAGE,
    timeZone: DEFAULT_TIME_ZONE,
    subscriptionExpiresAt: null,
  };
  memory.organisations.set(orgId, { ...settings, ...shop, createdAt: EPOCH });
  for (const table of [memory.products, memory.mappings]) {
    for (const [key, row] of table) if (row.orgId === orgId) table.delete(key);
  }
  const dated = { createdAt: EPOCH, updatedAt: EPOCH };
  for (const { version, ...product } of products) {
    const activeVersionId = version?.id ?? null;
    memory.products.set(product.id, { ...product, ...dated, orgId, description: null, activeVersionId });
    if (!version) continue;
    const { id, label, files } = version;
    const ready = { productId: product.id, version: label, status: 'ready', createdAt: EPOCH } as const;
    memory.versions.set(id, { id, orgId, ...ready });
    memory.files.set(id, files);
  }
  for (const { sku, platform, productId } of mappings) {
    const mapping = { sku: normalizeSku(sku), platform, productId };
    memory.mappings.set(`${orgId} ${platform ?? ''} ${mapping.sku}`, { ...mapping, orgId });
  }
  moveRevision(memory, orgId);
}

const EPOCH = new Date(0);
