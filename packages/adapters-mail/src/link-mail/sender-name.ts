import type { DownloadLinkEmail } from '@handover/domain';
import { oneLine } from '../one-line.ts';

/** The shop's name if all items are from one shop; otherwise a neutral name. */
export function senderName({ shops }: Pick<DownloadLinkEmail, 'shops'>): string {
  const [only] = shops;
  return shops.length === 1 && only ? oneLine(only.name, 100) : 'My downloads';
}
