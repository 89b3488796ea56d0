import type { ActivityEntry } from './activity.ts';
import type { DownloadLink } from './download-link.ts';
import type { Language } from './language.ts';
import type { PendingEmailFacts } from './pending-email.ts';

/** The maximum number of new links in a mail: those of the newest purchases. Mail programs cut longer mails short. */
export const LINKS_PER_MAIL = 50;

/** The content of a mail with new links that a buyer requested, before it is formatted. */
export interface DownloadLinkEmail {
  readonly kind: 'links';
  readonly mailId: string;
  readonly language: Language;
  /** The IANA time zone of the times in the mail. */
  readonly timeZone: string;
  /** When its links expire if none is opened. */
  readonly worksUntil: Date;
  readonly to: { readonly email: string; readonly name: string };
  readonly shops: readonly DownloadLinkEmailShop[];
  /** Whether older purchases are left out: see {@link LINKS_PER_MAIL}. */
  readonly leftOut: boolean;
  /** The page with everything that was bought with the address; null in a mail about one purchase. */
  readonly libraryUrl?: string | null;
  /** The page where buyers request new links. */
  readonly myUrl: string;
}

/** The purchases from one organisation. `replyTo` null: the mail has no Reply-To for it. */
export interface DownloadLinkEmailShop {
  readonly orgId: string;
  readonly name: string;
  readonly replyTo: string | null;
  /** Newest first. */
  readonly items: readonly DownloadLinkEmailItem[];
}

/** One purchase with its new link. `version` null: the product has no live version yet. */
export interface DownloadLinkEmailItem {
  readonly productName: string;
  readonly version: string | null;
  readonly fileCount: number;
  /** The size of all files, in bytes. */
  readonly totalSize: number;
  readonly orderNumber: string | null;
  readonly boughtAt: Date;
  readonly downloadUrl: string;
}

/** Everything that a request for a new link to one purchase writes, in one transaction. */
export interface NewDownloadLinkEmail {
  readonly mailId: string;
  readonly orgId: string;
  /** The language of the buyer's browser, if it is known. */
  readonly language?: Language | null;
  readonly link: DownloadLink;
  readonly activity: ActivityEntry;
  readonly at: Date;
}

/** A mail with new links that was claimed for sending. `leftOut`: see {@link DownloadLinkEmail}. */
export interface PendingDownloadLinkEmail extends PendingEmailFacts {
  readonly kind: 'links';
  /** The language of the buyer's browser; null if it is not known. */
  readonly language: Language | null;
  /** The stored address, never one that was typed in a request: two spellings of one address may be two mailboxes. */
  readonly to: { readonly email: string; readonly name: string };
  readonly shops: readonly PendingDownloadLinkEmailShop[];
  readonly leftOut: boolean;
  /** Whether it was requested by address: then it has the URL of the library of that address. */
  readonly opensLibrary: boolean;
}

/** A shop of the mail, with the ids of the links instead of their URLs. */
export interface PendingDownloadLinkEmailShop extends Omit<DownloadLinkEmailShop, 'items' | 'replyTo'> {
  readonly email: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly items: readonly (Omit<DownloadLinkEmailItem, 'downloadUrl'> & { readonly linkId: string })[];
}
