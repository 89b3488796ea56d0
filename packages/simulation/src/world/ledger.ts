import type { Order } from '@handover/domain';
import type { Sale, Stage } from './send-order.ts';

/** What the outside world knows for certain, independent of the service's data. */
export interface Ledger {
  /** Deliveries that were answered 2xx. */
  readonly acknowledged: Acknowledged[];
  /** Every paid sale that was sent at least once. */
  readonly sales: Map<string, Sale>;
  /** Every purchase that was due when its order was decided: see {@link nameBought}. */
  readonly due: Set<string>;
  /** The SKU for which each purchase was found: `connection order SKU purchase`. */
  readonly purchaseAliases: Set<string>;
  /** When each process last claimed each receipt. */
  readonly claimedAt: Map<string, number>;
  /** Every API key that was ever shown. */
  readonly apiKeys: Map<string, Credential>;
  readonly sessionTokens: Map<string, Credential>;
  /** Links that the command line printed. */
  readonly signInUrls: string[];
  /** How often each sign-in was answered with a session. */
  readonly signedIn: Map<string, number>;
  /** Invitations that were answered as accepted. */
  readonly accepted: Set<string>;
}

/** The valid credentials of a user, until their end was confirmed. */
export interface Credential {
  readonly userId: string;
  isOver: boolean;
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
    purchaseAliases: new Set(),
    claimedAt: new Map(),
    apiKeys: new Map(),
    sessionTokens: new Map(),
    signInUrls: [],
    signedIn: new Map(),
    accepted: new Set(),
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

/** The credentials of a user that are known by now: see {@link endAll}. */
export function listCredentials(
  known: ReadonlyMap<string, Credential>,
  userId: string,
): readonly Credential[] {
  return [...known.values()].filter((credential) => credential.userId === userId);
}

/** Their end was confirmed to the caller. Credentials that were created since stay valid. */
export function endAll(credentials: readonly Credential[]): void {
  for (const credential of credentials) credential.isOver = true;
}
