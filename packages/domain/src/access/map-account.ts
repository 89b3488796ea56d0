import { type RunUnassignedPorts, runUnassigned } from '../fulfilment/run-unassigned.ts';
import type { InvalidInput } from '../model/validation.ts';
import type { PaymentAccounts } from '../ports/connections.ts';

type MapAccountResult =
  | {
      readonly kind: 'mapped' | 'already-yours';
      readonly account: string;
      /** How many deliveries waited for it, and are fulfilled now. */
      readonly assigned: number;
    }
  /** It is mapped to another organisation. */
  | { readonly kind: 'taken'; readonly orgId: string }
  | InvalidInput
  | { readonly kind: 'unknown-organisation' };

/**
 * Maps an account of the shared platform to an organisation, and fulfils the orders that waited for it. Only the operator of the
 * service may do this, because the organisation receives the orders of the account.
 */
export async function mapAccount(
  ports: RunUnassignedPorts & { readonly accounts: PaymentAccounts },
  input: { readonly orgId: string; readonly account: string },
): Promise<MapAccountResult> {
  const account = readAccount(input.account);
  if (typeof account !== 'string') return account;
  const outcome = await ports.accounts.map({
    account,
    orgId: input.orgId,
    connectionId: ports.ids.next(),
    now: ports.clock.now(),
  });
  if (outcome.kind === 'taken') return outcome;
  if (outcome.kind === 'unknown-organisation') return { kind: outcome.kind };
  return { kind: outcome.kind, account, assigned: await runUnassigned(ports, account) };
}

function readAccount(text: string): string | InvalidInput {
  const account = text.trim();
  if (ACCOUNT.test(account)) return account;
  return {
    kind: 'invalid',
    field: 'account',
    problem: 'must look like acct_1A2b3C, as the platform shows it',
  };
}

const ACCOUNT = /^acct_[A-Za-z0-9_]{1,100}$/;

type UnmapAccountResult =
  | {
      readonly kind: 'unmapped';
      readonly account: string;
      /** The organisation to which it was mapped. */
      readonly orgId: string;
    }
  | InvalidInput
  /** It is mapped to no organisation. */
  | { readonly kind: 'unknown-account' };

/**
 * Removes the mapping of an account of the shared platform, for the operator of the service. Later orders wait until it is
 * mapped again. Earlier orders stay with the organisation, and are completed there. With `orgId`, only an account of that
 * organisation is unmapped.
 */
export async function unmapAccount(
  ports: { readonly accounts: PaymentAccounts },
  text: string,
  orgId?: string,
): Promise<UnmapAccountResult> {
  const account = readAccount(text);
  if (typeof account !== 'string') return account;
  const former = await ports.accounts.unmap(account, orgId);
  return former ? { kind: 'unmapped', account, orgId: former.orgId } : { kind: 'unknown-account' };
}
