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
  readonly purchaseAliases: Set<string>;
  /** When each process claimed each receipt last. */
  readonly claimedAt: Map<string, number>;
  /** Every API key that was ever shown to anybody. */
  readonly apiKeys: Map<string, Credential>;
  readonly sessionTokens: Map<string, Credential>;
  /** Links that the command line gave out. */
  readonly signInUrls: string[];
  /** How often each sign-in was answered with a session. */
  readonly signedIn: Map<string, number>;
  /** Invitations that were answered as accepted. */
  readonly accepted: Set<string>;
}

/** What lets a user in, until somebody was told that it no longer does. */
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

/** Whoever asked for their end was told that it has come. Those that came up since may go on. */
export function endAll(credentials: readonly Credential[]): void {
  for (const credential of credentials) credential.isOver = true;
}
