import type { InvalidInput } from '../model/validation.ts';
import type { PaymentAccounts } from '../ports/access.ts';
import { readAccount } from './map-account.ts';

/** What became of an account that was to be taken away. */
export type UnmapAccountResult =
  | {
      readonly kind: 'unmapped';
      readonly account: string;
      /** Whose it was. */
      readonly orgId: string;
    }
  | InvalidInput
  /** It is mapped to no organisation. */
  | { readonly kind: 'unknown-account' };

/**
 * Says that an account of the shared platform is nobody's any more: orders that come from now on wait until it is mapped
 * again. What came before stays with the organisation, and is finished there. For the service's operator alone.
 */
export async function unmapAccount(
  ports: { readonly accounts: PaymentAccounts },
  text: string,
): Promise<UnmapAccountResult> {
  const account = readAccount(text);
  if (typeof account !== 'string') return account;
  const former = await ports.accounts.unmap(account);
  return former ? { kind: 'unmapped', account, orgId: former.orgId } : { kind: 'unknown-account' };
}
