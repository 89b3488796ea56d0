import type { ActivityOrigin } from '../model/activity.ts';
import type { DownloadPage } from '../model/download-link.ts';
import type { Platforms } from '../model/platform.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DownloadLinks } from '../ports/downloads.ts';
import type { Purchases } from '../ports/purchases.ts';
import { restorePurchase, revokePurchase } from '../purchases/revoke-purchases.ts';

interface LinkPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly links: Pick<DownloadLinks, 'find'>;
  readonly purchases: Purchases;
  readonly platforms?: Pick<Platforms, 'vendorOf'>;
}

/**
 * Revokes the purchase of a link, with all of its links: if only one were revoked, the buyer could request a new one. Returns
 * the link in its new state; null if it is unknown.
 */
export function revokeLink(
  ports: LinkPorts,
  orgId: string,
  linkId: string,
  by: ActivityOrigin,
): Promise<DownloadPage | null> {
  return changeLink(ports, orgId, linkId, (purchaseId) => revokePurchase(ports, orgId, purchaseId, by));
}

/** Restores the purchase of a link. A link that was revoked because the buyer's address was corrected stays revoked. */
export function restoreLink(
  ports: LinkPorts,
  orgId: string,
  linkId: string,
  by: ActivityOrigin,
): Promise<DownloadPage | null> {
  return changeLink(ports, orgId, linkId, (purchaseId) => restorePurchase(ports, orgId, purchaseId, by));
}

async function changeLink(
  { links }: LinkPorts,
  orgId: string,
  linkId: string,
  change: (purchaseId: string) => Promise<unknown>,
): Promise<DownloadPage | null> {
  const link = await links.find(orgId, linkId);
  if (!link) return null;
  await change(link.purchaseId);
  return links.find(orgId, linkId);
}
