import {
  isEntryAmong,
  isOfFailure,
  isOfRefusal,
  itemOfEntry,
  sawMore,
  subjectOfEntry,
  subjectOfReceipt,
} from '../model/dismissal.ts';
import type { Dismissals } from '../ports/overview.ts';
import type { Memory } from './memory.ts';
import type { DeliveryRow, EmailRow } from './rows.ts';

export function createInMemoryDismissals({ dismissals }: Memory): Dismissals {
  return {
    list: async (orgId, subjects) =>
      [...dismissals.values()]
        .filter((row) => row.orgId === orgId && subjects.includes(row.subject))
        .sort((a, b) => b.at.getTime() - a.at.getTime() || (a.subject < b.subject ? -1 : 1))
        .map(({ orgId: _, ...row }) => row),
    dismiss: async (orgId, all) => {
      const written = all.filter((one) => {
        const before = dismissals.get(keyOf(orgId, one.subject));
        return !before || !sawMore(before, one);
      });
      for (const one of written) dismissals.set(keyOf(orgId, one.subject), { orgId, ...one });
      return written.map(({ subject }) => subject);
    },
    bringBack: async (orgId, subjects, dismissedAt = null) =>
      [...new Set(subjects)].filter((subject) => {
        const at = dismissals.get(keyOf(orgId, subject))?.at.getTime();
        return (
          (dismissedAt === null || at === dismissedAt.getTime()) && dismissals.delete(keyOf(orgId, subject))
        );
      }),
  };
}

export function isEntryDismissed({ dismissals }: Memory, row: DeliveryRow): boolean {
  const dismissal = dismissals.get(keyOf(row.orgId, subjectOfEntry(row)));
  return dismissal !== undefined && isOfFailure(dismissal, row);
}

/** Dismissals of orders and deliveries from before that time are about entries that were removed. */
export function removeDismissalsOfEntries({ dismissals }: Memory, orgId: string, before: Date): void {
  for (const [key, { subject, seenAt, orgId: of }] of [...dismissals])
    if (of === orgId && seenAt < before && /^(order|delivery) /.test(subject)) dismissals.delete(key);
}

export function isReceiptDismissed({ dismissals }: Memory, receipt: EmailRow): boolean {
  const dismissal = dismissals.get(keyOf(receipt.orgId, subjectOfReceipt(receipt.id)));
  return dismissal !== undefined && isOfRefusal(dismissal, receipt);
}

/** Whether somebody dismissed it, alone or with the whole item of Overview: then no mail names it. */
export function isEntryOfNoConcern(memory: Memory, row: DeliveryRow): boolean {
  if (row.status !== 'error') return false;
  const dismissal = memory.dismissals.get(keyOf(row.orgId, itemOfEntry(row)));
  return isEntryDismissed(memory, row) || (dismissal !== undefined && isEntryAmong(dismissal, row));
}

/** The same for a refused receipt. */
export function isReceiptOfNoConcern(memory: Memory, row: EmailRow): boolean {
  const dismissal = memory.dismissals.get(keyOf(row.orgId, 'refused'));
  return isReceiptDismissed(memory, row) || (dismissal !== undefined && isOfRefusal(dismissal, row));
}

function keyOf(orgId: string, subject: string): string {
  return `${orgId} ${subject}`;
}
