import { makeOrder } from '@handover/testkit';
import { expect, it } from 'vitest';
import { planWithoutSale } from '../src/fulfilment/decide-fulfilment.ts';
import { giveUpEntry } from '../src/fulfilment/give-up-entry.ts';
import { decide, NOW } from './decide-order.ts';

const { platform, connectionId, orderId } = makeOrder({ orgId: 'org', connection: { id: 'connection' } });

it.each([
  ['is held for the subscription', decide({}, { subscriptionExpiresAt: NOW })],
  [
    'cannot be read any more',
    giveUpEntry(
      {
        ...{ id: 'entry', orgId: 'org', platform, connectionId, orderId, bodyId: 'body', body: null },
        ...{ orderNumber: null, normalizedEmail: null, receivedAt: NOW, status: 'pending' },
        ...{ reason: null, note: null, attempts: 0 },
      },
      [],
      NOW,
    ),
  ],
])('an order that %s changes its entry and nothing else', (_, plan) => {
  expect(plan).toEqual(planWithoutSale(plan));
  const { orgId, delivery, alert, expectedVersions, ...rest } = plan;
  expect(Object.values(rest).flat().filter(Boolean)).toEqual([]);
});
