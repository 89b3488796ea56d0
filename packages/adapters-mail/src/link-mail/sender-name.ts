import type { DownloadLinkEmail } from '@handover/domain';
import { oneLine } from '../one-line.ts';

/** The one shop that all of it was bought at; else nobody's in particular. */
export function senderName({ shops }: Pick<DownloadLinkEmail, 'shops'>): string {
  const [only] = shops;
  return shops.length === 1 && only ? oneLine(only.name, 100) : 'My downloads';
}
