import { linkExpiry } from '../downloads/download-link.ts';
import type { OwedLinkMail, OwedLinkMailShop } from '../downloads/link-mail.ts';
import { LINKS_PER_MAIL } from '../downloads/link-mail.ts';
import type { LinkMails } from '../ports.ts';
import { foldEmail } from '../purchases/email.ts';
import type { Purchase } from '../purchases/purchase.ts';
import { freshLink } from './fresh-rows.ts';
import {
  claimIdOf,
  endClaim,
  heldUntil,
  holdsClaim,
  releaseClaim,
  takeClaim,
  UNCLAIMED,
} from './in-memory-claims.ts';
import type { LinkMailRow, LinkRow, Memory } from './memory.ts';
import { linksOf, newestFirst, queueJobs, versionOf } from './memory.ts';

export function createInMemoryLinkMails(memory: Memory): LinkMails {
  return {
    requestOne: async ({ mailId, orgId, link, activity, at }) => {
      const purchase = memory.purchases.get(link.purchaseId);
      if (purchase?.orgId !== orgId) throw new Error('A new link is for a purchase of its organisation.');
      if (isRevoked(memory, purchase)) return 'revoked';
      const owed = findMail(memory, ({ purchaseId }) => purchaseId === purchase.id);
      if (!owed) {
        memory.links.set(link.id, freshLink(link));
        memory.activity.set(activity.id, { ...activity, orgId });
      }
      owe(memory, owed ?? { ...newMail(mailId, at), purchaseId: purchase.id, linkIds: [link.id] }, at);
      return 'queued';
    },

    requestAll: async ({ mailId, email, at }) => {
      const emailFolded = foldEmail(email);
      const owed = findMail(memory, (mail) => mail.emailFolded === emailFolded);
      owe(memory, owed ?? { ...newMail(mailId, at), emailFolded }, at);
    },

    claim: async (mailId, now, newLinkId) => {
      const mail = memory.linkMails.get(mailId);
      if (!mail) return { kind: 'settled' };
      const held = heldUntil(mail, now);
      if (held) return { kind: 'not-now', at: held };
      if (mail.nextTryAt > now) return { kind: 'not-now', at: mail.nextTryAt };
      const claimed = {
        ...(mail.linkIds ? mail : makeLinks(memory, mail, now, newLinkId)),
        ...takeClaim(mail, now),
      };
      memory.linkMails.set(mailId, claimed);
      const links = workingLinks(memory, claimed);
      for (const link of links) memory.links.set(link.id, { ...link, expiresAt: linkExpiry(now) });
      const described = describeMail(memory, claimed, links);
      if (described) return { kind: 'claimed', claimId: claimIdOf(claimed), mail: described };
      memory.linkMails.delete(mailId);
      return { kind: 'settled' };
    },

    settle: async (mailId, claimId, outcome) => {
      const mail = memory.linkMails.get(mailId);
      if (!mail || !holdsClaim(mail, claimId)) return 'not-held';
      if (outcome.kind === 'done') {
        memory.linkMails.delete(mailId);
        return 'settled';
      }
      const { nextTryAt } = outcome;
      const tried = outcome.kind === 'postponed' ? { owedSince: nextTryAt } : { attempts: mail.attempts + 1 };
      memory.linkMails.set(mailId, { ...mail, ...tried, ...endClaim(mail), nextTryAt });
      queueJob(memory, mailId, nextTryAt);
      return 'settled';
    },
    release: async (mailId, claimId) => releaseClaim(memory.linkMails, mailId, claimId),
  };
}

function newMail(id: string, at: Date): LinkMailRow {
  return {
    id,
    purchaseId: null,
    emailFolded: null,
    owedSince: at,
    attempts: 0,
    nextTryAt: at,
    ...UNCLAIMED,
    linkIds: null,
    leftOut: false,
  };
}

/** From now on, as if no try had failed. */
function owe(memory: Memory, mail: LinkMailRow, at: Date): void {
  memory.linkMails.set(mail.id, { ...mail, owedSince: at, attempts: 0, nextTryAt: at });
  queueJob(memory, mail.id, at);
}

function queueJob(memory: Memory, mailId: string, startAfter: Date): void {
  const job = { kind: 'send-link-mail', mailId, startAfter } as const;
  queueJobs(memory, [job]);
}

function makeLinks(memory: Memory, mail: LinkMailRow, now: Date, newLinkId: () => string): LinkMailRow {
  const purchases = newestFirst(memory.purchases.values()).filter((purchase) => {
    const customer = memory.customers.get(purchase.customerId);
    return customer && foldEmail(customer.email) === mail.emailFolded && !isRevoked(memory, purchase);
  });
  const links = purchases.slice(0, LINKS_PER_MAIL).map(({ id: purchaseId, orgId }) => ({
    id: newLinkId(),
    orgId,
    purchaseId,
    createdAt: now,
    expiresAt: linkExpiry(now),
  }));
  for (const link of links) memory.links.set(link.id, freshLink(link));
  return { ...mail, linkIds: links.map(({ id }) => id), leftOut: purchases.length > LINKS_PER_MAIL };
}

function workingLinks(memory: Memory, { linkIds }: LinkMailRow): readonly LinkRow[] {
  return (linkIds ?? []).flatMap((id) => {
    const link = memory.links.get(id);
    return link && link.revokedAt === null ? [link] : [];
  });
}

function describeMail(memory: Memory, mail: LinkMailRow, links: readonly LinkRow[]): OwedLinkMail | null {
  const bought = newestFirst(
    links.flatMap((link) => {
      const purchase = memory.purchases.get(link.purchaseId);
      return purchase ? [{ link, purchase, id: purchase.id, createdAt: purchase.createdAt }] : [];
    }),
  );
  const customer = bought[0] && memory.customers.get(bought[0].purchase.customerId);
  if (!customer) return null;
  const orgIds = [...new Set(bought.map(({ purchase }) => purchase.orgId))];
  return {
    id: mail.id,
    owedSince: mail.owedSince,
    attempts: mail.attempts,
    to: { email: customer.email, name: customer.name },
    shops: orgIds.map((orgId) => ({
      ...describeShop(memory, orgId),
      items: bought
        .filter(({ purchase }) => purchase.orgId === orgId)
        .map(({ link, purchase }) => describeItem(memory, link, purchase)),
    })),
    leftOut: mail.leftOut,
  };
}

function describeShop(memory: Memory, orgId: string): Omit<OwedLinkMailShop, 'items'> {
  const organisation = memory.organisations.get(orgId);
  return { orgId, name: organisation?.name ?? '', email: organisation?.email ?? '' };
}

function describeItem(memory: Memory, link: LinkRow, purchase: Purchase): OwedLinkMailShop['items'][number] {
  const version = versionOf(memory, purchase);
  const files = version ? (memory.files.get(version.id) ?? []) : [];
  return {
    productName: memory.products.get(purchase.productId)?.name ?? '',
    version: version?.version ?? null,
    fileCount: files.length,
    totalSize: files.reduce((sum, { size }) => sum + size, 0),
    orderNumber: purchase.orderNumber,
    boughtAt: purchase.createdAt,
    linkId: link.id,
  };
}

function isRevoked(memory: Memory, purchase: Purchase): boolean {
  const [newest] = newestFirst(linksOf(memory, purchase.id));
  return newest !== undefined && newest.revokedAt !== null;
}

function findMail({ linkMails }: Memory, fits: (mail: LinkMailRow) => boolean): LinkMailRow | undefined {
  return [...linkMails.values()].find(fits);
}
