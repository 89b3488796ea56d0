import { normalizeEmail } from '@handover/domain';
import { rememberByKey } from '../kernel/remember-by-key.ts';
import { nameBought } from '../world/ledger.ts';
import type { AcceptedMail } from '../world/mail-server.ts';
import type { World } from '../world/open-world.ts';
import { mayBeMailedAgain } from './watch-receipts.ts';

/** A rule returns what breaks it; null while it holds. It reports each case that could have broken it. */
export type Rule = (world: World, isSeen: () => void) => string | null;

/** The rules after each step, with any work in progress. */
export const SAFETY_RULES: Readonly<Record<string, Rule>> = {
  'what was answered 2xx is recorded': ({ ledger, memory }, isSeen) => {
    for (const { deliveryIds } of ledger.acknowledged) {
      isSeen();
      for (const id of deliveryIds) if (!memory.deliveries.has(id) && !memory.unassigned.has(id)) return id;
    }
    return null;
  },

  'every purchase was due, and no two are the same': ({ ledger, memory }, isSeen) => {
    const seen = new Set<string>();
    for (const purchase of memory.purchases.values()) {
      if (purchase.orderId === null) continue;
      isSeen();
      const name = nameBought(purchase);
      if (seen.has(name)) return `${name} was bought twice`;
      if (!ledger.due.has(name)) return `${name} was not due`;
      seen.add(name);
    }
    for (const name of ledger.due) if (!seen.has(name)) return `${name} was due, and is not there`;
    return null;
  },

  'a sale by hand is recorded once for each of its keys': ({ memory }, isSeen) => {
    const recorded = new Set<string>();
    for (const { sale } of memory.idempotency.values()) {
      isSeen();
      if (recorded.has(sale.purchaseId)) return `${sale.purchaseId} has two keys`;
      recorded.add(sale.purchaseId);
    }
    for (const { id, orderId } of memory.purchases.values()) {
      if (orderId === null && !recorded.has(id)) return `${id} has no key`;
    }
    return null;
  },

  'what is undecided or held keeps its body': ({ memory }, isSeen) => {
    for (const { id, status, decidedAt, bodyId } of memory.deliveries.values()) {
      const isOpen = status === 'held' || (status === 'pending' && decidedAt === null);
      if (!isOpen) continue;
      isSeen();
      if (!memory.bodies.get(bodyId)) return id;
    }
    return null;
  },

  'an address of an organisation is one customer': ({ memory }, isSeen) => {
    const seen = new Set<string>();
    for (const { orgId, email } of memory.customers.values()) {
      const name = `${orgId} ${normalizeEmail(email)}`;
      if (seen.size > 0) isSeen();
      if (seen.has(name)) return name;
      seen.add(name);
    }
    return null;
  },

  'each purchase has a link, and belongs to one organisation with all that is its own': (
    { memory },
    isSeen,
  ) => {
    const linked = new Set<string>();
    for (const { orgId, purchaseId } of memory.links.values()) {
      if (memory.purchases.get(purchaseId)?.orgId !== orgId) return `a link of ${purchaseId}`;
      linked.add(purchaseId);
    }
    for (const purchase of memory.purchases.values()) {
      const { id, orgId, customerId, productId, receiptId } = purchase;
      isSeen();
      if (!linked.has(id)) return `${id} has no link`;
      if (memory.customers.get(customerId)?.orgId !== orgId) return `the customer of ${id}`;
      if (memory.products.get(productId)?.orgId !== orgId) return `the product of ${id}`;
      if (receiptId && memory.emails.get(receiptId)?.orgId !== orgId) return `the receipt of ${id}`;
    }
    return null;
  },

  'an e-mail is mailed once, unless its acceptance could not be noted in time': (
    { mailServer, memory },
    isSeen,
  ) => {
    const mailed = new Map<string, AcceptedMail>();
    for (const mail of mailServer.accepted) {
      // Each repeated invitation is another mail.
      if (mail.kind === 'invitation') continue;
      isSeen();
      const before = mailed.get(mail.id);
      if (before && !mayBeMailedAgain(before, mail)) return `${mail.id} was mailed again`;
      mailed.set(mail.id, before?.isNoted ? before : mail);
    }
    for (const { id, kind, status } of memory.emails.values()) {
      // An alert mail may have another id on PostgreSQL, by which the mail server knows it.
      if (kind === 'invitation' || kind === 'alert') continue;
      if (status === 'sent' && !mailed.has(id)) return `${id} counts as sent, and was not accepted`;
    }
    return null;
  },

  'an entry is what its lines and receipts say': ({ memory, mailServer }, isSeen) => {
    const mailedPurchases = listMailedPurchases({ memory, mailServer });
    const revocations = [...memory.activity.values()].filter(({ kind }) => kind === 'link-revoked');
    const revoked = new Set(revocations.map(({ subjectId }) => subjectId));
    for (const { id, status, decidedAt, heldFor, lines, reason } of memory.deliveries.values()) {
      if (decidedAt === null) continue;
      isSeen();
      const outcomes = lines.map(({ outcome }) => outcome);
      const isHeld = heldFor === 'subscription' || outcomes.includes('held');
      if ((status === 'held') !== isHeld) return `${id} is ${status} with ${outcomes.join(', ')}`;
      if ((status === 'error' || status === 'held') && reason === null)
        return `${id} is ${status} without a reason`;
      if (
        status === 'held' &&
        heldFor === 'subscription' &&
        lines.some(({ purchaseId }) => purchaseId !== null)
      ) {
        return `${id} was held, and created something`;
      }
      if (status !== 'success') continue;
      for (const { purchaseId } of lines) {
        // A mail leaves out what was revoked when it was made.
        if (purchaseId !== null && !revoked.has(purchaseId) && !mailedPurchases.has(purchaseId))
          return `${id} is a success without a mail`;
      }
    }
    return null;
  },
};

/** Purchases with a link that has reached a mail server. They may have been moved to other receipts since. */
function listMailedPurchases({
  memory,
  mailServer,
}: Pick<World, 'memory' | 'mailServer'>): ReadonlySet<string> {
  const links = mailServer.accepted.flatMap((mail) =>
    mail.links.map((url) => url.slice(url.lastIndexOf('.') + 1)),
  );
  return new Set(links.flatMap((id) => memory.links.get(id)?.purchaseId ?? []));
}

/** The first broken rule, with what breaks it. */
export function findBrokenRule(world: World, rules: Readonly<Record<string, Rule>>): Error | null {
  if (world.failure) return world.failure;
  for (const { name, label, rule } of labelRules(rules)) {
    let cases = 0;
    const broken = rule(world, () => {
      cases += 1;
    });
    world.trace.count(label, cases);
    if (broken !== null) return new Error(`Broken: ${name} (${broken}).`);
  }
  return null;
}

const labelRules = rememberByKey((rules: Readonly<Record<string, Rule>>) =>
  Object.entries(rules).map(([name, rule]) => ({ name, label: `rule: ${name}`, rule })),
);
