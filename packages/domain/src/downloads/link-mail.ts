import type { ActivityEntry } from '../fulfilment/plan.ts';
import type { DownloadLink } from './download-link.ts';

/** A mail brings at most so many new links, those of the newest purchases: a longer one would be cut short. */
export const LINKS_PER_MAIL = 50;

/** A mail with new links that a buyer asked for, with all that it says, ready to be laid out. */
export interface LinkMail {
  readonly mailId: string;
  readonly to: { readonly email: string; readonly name: string };
  readonly shops: readonly LinkMailShop[];
  /** Whether older purchases had to be left out. */
  readonly leftOut: boolean;
  /** Where more links can be asked for. */
  readonly myUrl: string;
}

/** What was bought of one organisation. `replyTo` null: it takes no replies. */
export interface LinkMailShop {
  readonly orgId: string;
  readonly name: string;
  readonly replyTo: string | null;
  /** Newest first. */
  readonly items: readonly LinkMailItem[];
}

/** One purchase, with its new link. `version` null: the product has none yet. */
export interface LinkMailItem {
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
export interface NewLinkMail {
  readonly mailId: string;
  readonly orgId: string;
  readonly link: DownloadLink;
  readonly activity: ActivityEntry;
  readonly at: Date;
}

/** What became of an attempt to take such a mail for sending. */
export type LinkMailClaim =
  | { readonly kind: 'claimed'; readonly claimId: string; readonly mail: OwedLinkMail }
  /** Mailed or given up already, or there is nothing to bring. */
  | { readonly kind: 'settled' }
  /** Another process is at it, or its next try is yet to come: ask again at `at`. */
  | { readonly kind: 'not-now'; readonly at: Date };

/** A mail with new links that is to be sent now. `leftOut`: older purchases had no room in it. */
export interface OwedLinkMail {
  readonly id: string;
  readonly owedSince: Date;
  /** Tries that failed before. */
  readonly attempts: number;
  /** As on record, never as somebody typed it: two spellings of one address may be two mailboxes. */
  readonly to: { readonly email: string; readonly name: string };
  readonly shops: readonly OwedLinkMailShop[];
  readonly leftOut: boolean;
}

/** As the mail tells it, but with the ids of the links instead of their addresses. */
export interface OwedLinkMailShop extends Omit<LinkMailShop, 'items' | 'replyTo'> {
  readonly email: string;
  readonly items: readonly (Omit<LinkMailItem, 'downloadUrl'> & { readonly linkId: string })[];
}

/** `done`: the mail server has said yes, or no for good. */
export type LinkMailOutcome =
  | { readonly kind: 'done' }
  /** `postponed`: nobody tried, for the shops have sent enough for now. */
  | { readonly kind: 'try-again' | 'postponed'; readonly nextTryAt: Date };
