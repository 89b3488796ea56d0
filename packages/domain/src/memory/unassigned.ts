import { SHARED_PLATFORM } from '../model/platform.ts';
import { describeAssigned, type UnassignedDelivery } from '../model/unassigned-delivery.ts';
import type { PaymentAccounts } from '../ports/connections.ts';
import type { UnassignedDeliveries } from '../ports/fulfilment.ts';
import { findOrAddConnection } from './access.ts';
import { createInMemoryDeliveryLog } from './fulfilment.ts';
import type { Memory } from './memory.ts';
import type { UnassignedRow } from './rows.ts';

export function createInMemoryPaymentAccounts(memory: Memory): PaymentAccounts {
  return {
    map: async ({ account, orgId, connectionId, now }) => {
      if (!memory.organisations.has(orgId)) return { kind: 'unknown-organisation' };
      const current = memory.accounts.get(account);
      if (current)
        return current.orgId === orgId ? { kind: 'already-yours' } : { kind: 'taken', orgId: current.orgId };
      const wanted = { orgId, platform: SHARED_PLATFORM, name: account, connectionId, now };
      const destination = findOrAddConnection(memory, wanted);
      if (destination) memory.accounts.set(account, destination);
      return { kind: 'mapped' };
    },
    find: async (account) => memory.accounts.get(account) ?? null,
    list: async ({ after, limit }) =>
      [...memory.accounts]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .filter(([account]) => after === null || account > after)
        .slice(0, limit)
        .map(([account, { orgId }]) => ({
          account,
          orgId,
          organisation: memory.organisations.get(orgId)?.name ?? '',
        })),
    unmap: async (account, orgId) => {
      const former = memory.accounts.get(account) ?? null;
      if (orgId !== undefined && former?.orgId !== orgId) return null;
      memory.accounts.delete(account);
      return former;
    },
  };
}

export function createInMemoryUnassigned(memory: Memory): UnassignedDeliveries {
  const log = createInMemoryDeliveryLog(memory);
  return {
    record: async (deliveries, body) =>
      deliveries.map((delivery) => {
        const waiting = [...memory.unassigned.values()].find((row) => isSame(row.delivery, delivery));
        if (!waiting) memory.unassigned.set(delivery.id, { delivery, body });
        return waiting?.delivery.id ?? delivery.id;
      }),
    list: async ({ after, limit }) =>
      oldestFirst(memory)
        .map(({ delivery }) => delivery)
        .filter(({ id }) => after === null || id > after)
        .slice(0, limit),
    count: async () => memory.unassigned.size,
    async *listAssignable(account) {
      for (const { delivery } of oldestFirst(memory)) {
        const orgId = findOrganisation(memory, delivery);
        const isWanted = account === null || delivery.account === account;
        if (orgId !== null && isWanted) yield { id: delivery.id, orgId, account: delivery.account };
      }
    },
    // Nothing is awaited before the entry is removed, so it is assigned only once.
    assign: async (deliveryId, destination, startAfter) => {
      const row = memory.unassigned.get(deliveryId);
      if (!row) return 'gone';
      memory.unassigned.delete(deliveryId);
      const { delivery, jobs } = describeAssigned(row.delivery, destination, startAfter);
      const body = { id: delivery.bodyId, ...row.body };
      const origin = { proof: null, rejectedId: null };
      await log.record({ orgId: destination.orgId, body, deliveries: [delivery], jobs, ...origin });
      return 'assigned';
    },
  };
}

function isSame(one: UnassignedDelivery, other: UnassignedDelivery): boolean {
  const isOfOneKind = (one.problem === null) === (other.problem === null);
  return isOfOneKind && (['account', 'orgHint', 'orderId'] as const).every((key) => one[key] === other[key]);
}

function oldestFirst({ unassigned }: Memory): readonly UnassignedRow[] {
  return [...unassigned.values()].sort((a, b) => (a.delivery.id < b.delivery.id ? -1 : 1));
}

function findOrganisation(
  { accounts, organisations }: Memory,
  { account, orgHint }: UnassignedRow['delivery'],
): string | null {
  if (account !== null) return accounts.get(account)?.orgId ?? null;
  return orgHint !== null && organisations.has(orgHint) ? orgHint : null;
}
