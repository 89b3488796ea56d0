import type { ActivityEntry } from './activity.ts';
import type { DownloadLink } from './download-link.ts';
import type { Language } from './language.ts';
import type { PendingEmailFacts } from './pending-email.ts';

/** A mail brings at most so many new links, those of the newest purchases: a longer one would be cut short. */
export const LINKS_PER_MAIL = 50;

/** A mail with new links that a buyer asked for, with all that it says, ready to be laid out. */
export interface DownloadLinkEmail {
  readonly kind: 'links';
  readonly mailId: string;
  readonly language: Language;
  /** Of the times that the mail says: a name of the IANA database. */
  readonly timeZone: string;
  /** Until when its links work if none is opened. */
  readonly worksUntil: Date;
  readonly to: { readonly email: string; readonly name: string };
  readonly shops: readonly DownloadLinkEmailShop[];
  /** Whether older purchases had to be left out. */
  readonly leftOut: boolean;
  /** Where everything bought with the address is; null in a mail about one purchase. */
  readonly libraryUrl?: string | null;
  /** Where more links can be asked for. */
  readonly myUrl: string;
}

/** What was bought of one organisation. `replyTo` null: it takes no replies. */
export interface DownloadLinkEmailShop {
  readonly orgId: string;
  readonly name: string;
  readonly replyTo: string | null;
  /** Newest first. */
  readonly items: readonly DownloadLinkEmailItem[];
}

/** One purchase, with its new link. `version` null: the product has none yet. */
export interface DownloadLinkEmailItem {
  readonly productName: string;
  readonly version: string | null;
  readonly fileCount: number;
  /** Bytes of all files together. */
  readonly totalSize: number;
  readonly orderNumber: string | null;
  readonly boughtAt: Date;
  readonly downloadUrl: string;
}

/** A new link for one purchase, with everything that comes with it, to be applied as one. */
export interface NewDownloadLinkEmail {
  readonly mailId: string;
  readonly orgId: string;
  /** The language that the buyer's browser asked for, if it is known. */
  readonly language?: Language | null;
  readonly link: DownloadLink;
  readonly activity: ActivityEntry;
  readonly at: Date;
}

/** A mail with new links that is to be sent now. `leftOut`: older purchases had no room in it. */
export interface PendingDownloadLinkEmail extends PendingEmailFacts {
  readonly kind: 'links';
  /** The language that the buyer's browser asked for; null where it is not known. */
  readonly language: Language | null;
  /** As on record, never as somebody typed it: two spellings of one address may be two mailboxes. */
  readonly to: { readonly email: string; readonly name: string };
  readonly shops: readonly PendingDownloadLinkEmailShop[];
  readonly leftOut: boolean;
  /** Whether it was asked for with an address: then it leads to the library of that address. */
  readonly opensLibrary: boolean;
}

/** As the mail tells it, but with the ids of the links instead of their addresses. */
export interface PendingDownloadLinkEmailShop extends Omit<DownloadLinkEmailShop, 'items' | 'replyTo'> {
  readonly email: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly items: readonly (Omit<DownloadLinkEmailItem, 'downloadUrl'> & { readonly linkId: string })[];
}
