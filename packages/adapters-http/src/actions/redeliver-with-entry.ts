import { type OrderReader, type RedeliverResult, redeliver, runAuditedAction } from '@handover/domain';
import { titleOfEntry } from '../dashboard/log/format-entry.ts';
import type { AuditPorts, HttpPorts } from '../http-ports.ts';
import type { ActionScope } from './product-actions.ts';

/** Processes an entry of the webhook log again, at a user's request. */
export function redeliverWithEntry(
  { platforms, ...ports }: AuditPorts & Pick<HttpPorts, 'platforms'>,
  scope: ActionScope,
  orders: OrderReader,
  deliveryId: string,
): Promise<RedeliverResult> {
  return runAuditedAction(
    ports,
    scope,
    (within) => redeliver({ ...within, orders, platforms }, scope.orgId, deliveryId),
    (run) => {
      if (run.kind !== 'redelivered') return null;
      const summary = `${titleOfEntry(platforms, run.delivery)} was processed again.`;
      return { kind: 'delivery-redelivered', subjectId: run.delivery.id, summary };
    },
  );
}
