import type { Order } from '@handover/domain';
import type { Sale, Stage } from './send-order.ts';

/** What the world outside knows for sure, whatever the service remembers. */
export interface Ledger {
  /** Deliveries that were answered 2xx. */
  readonly acknowledged: Acknowledged[];
  /** Every paid sale that was sent at least once. */
  readonly sales: Map<string, Sale>;
  /** Every purchase that was due when its order was decided: see {@link nameBought}. */
  readonly due: Set<string>;
  /** For which SKU each purchase was found: `connection order SKU purchase`. */
  readonly soldAs: Set<string>;
  /** When each process claimed each receipt last. */
  readonly claimedAt: Map<string, number>;
  /** Every key that was ever shown to anybody. */
  readonly apiKeys: string[];
  readonly sessionTokens: string[];
  /** Links that the command line gave out. */
  readonly signInUrls: string[];
  /** How often each sign-in was answered with a session. */
  readonly signedIn: Map<string, number>;
}

export interface Acknowledged {
  readonly sale: Sale;
  readonly stage: Stage;
  readonly deliveryIds: readonly string[];
}

export function createLedger(): Ledger {
  return {
    acknowledged: [],
    sales: new Map(),
    due: new Set(),
    soldAs: new Set(),
    claimedAt: new Map(),
    apiKeys: [],
    sessionTokens: [],
    signInUrls: [],
    signedIn: new Map(),
  };
}

/** One purchase for ever: the key that no two purchases may share. */
export function nameBought(bought: {
  readonly orgId: string;
  readonly connectionId: string | null;
  readonly orderId: string | null;
  readonly productId: string;
}): string {
  return `${bought.orgId} ${bought.connectionId} ${bought.orderId} ${bought.productId}`;
}

/** The SKU that a line of a simulated order was sold under. */
export function skuOf({ candidates }: Order['lines'][number]): string {
  return (
    candidates
      .find(({ kind }) => kind === 'sku')
      ?.value.trim()
      .toLowerCase() ?? ''
  );
}
