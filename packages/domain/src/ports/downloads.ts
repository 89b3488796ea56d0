import type { ActivityEntry } from '../model/activity.ts';
import type { DownloadPage } from '../model/download-link.ts';
import type {
  DownloadClient,
  DownloadProgress,
  DownloadQuery,
  DownloadSessionRecord,
  DownloadSessionRow,
  ReportedSession,
  SentBytes,
} from '../model/download-session.ts';
import type { LibraryItem } from '../model/library.ts';

/** The links that buyers have. Making them is part of a plan, a sale or a mailing. */
export interface DownloadLinks {
  find(orgId: string, linkId: string): Promise<DownloadPage | null>;
  /** Counts an opening, notes its time (the first one stays) and moves the expiry, unless the link is expired or revoked at `at`: then false. */
  refresh(orgId: string, linkId: string, at: Date, expiresAt: Date): Promise<boolean>;
  /** Moves the expiry as `refresh` does, and counts nothing: fetching a file in a hundred parts opens no page. */
  prolong(orgId: string, linkId: string, at: Date, expiresAt: Date): Promise<boolean>;
  /**
   * What was bought with the address (normalized) at any organisation, newest first, each with its newest link unless links of it
   * were replaced since `mailedAt`; without purchases whose newest link is revoked. `before`: only what was bought before that
   * purchase, if it is the buyer's. `renewal`: those links that work then work until `expiresAt`.
   */
  listOfBuyer(
    email: string,
    query: {
      readonly before: string | null;
      /** When the mail was made from which the library was opened. */
      readonly mailedAt: Date;
      readonly limit: number;
      readonly renewal: { readonly at: Date; readonly expiresAt: Date } | null;
    },
  ): Promise<readonly LibraryItem[]>;
}

/** What pages, lists and reports read of download sessions. */
export interface DownloadSessionPages {
  /** The link's latest session, by its latest byte; null before there is any. */
  latest(orgId: string, linkId: string): Promise<DownloadProgress | null>;
  /** A page of those that match, the one that began last first. */
  search(orgId: string, query: DownloadQuery): Promise<readonly DownloadSessionRow[]>;
  show(orgId: string, sessionId: string): Promise<DownloadSessionRecord | null>;
  /** Sessions that began in the period, oldest first, without holding them in memory. */
  list(orgId: string, period: { readonly from: Date; readonly until: Date }): AsyncIterable<ReportedSession>;
}

/** What went out by which link. */
export interface DownloadSessions extends DownloadSessionPages {
  /**
   * Joins the session `joining`, if it is one of the link's and not completed; else the link's latest session, if that is
   * not completed and a byte of it went out within the last `SESSION_PAUSE_MS`; else begins one under `sessionId`. A link
   * that has `MAX_SESSIONS_PER_LINK` begins none: its latest is joined then, also one that is completed.
   * Answers with the id of the session; null for an unknown link.
   */
  begin(
    orgId: string,
    linkId: string,
    request: {
      readonly sessionId: string;
      readonly joining: string | null;
      readonly client: DownloadClient;
      readonly at: Date;
    },
  ): Promise<string | null>;
  /**
   * Adds bytes that went out of one file: to the sum of the session, and to the ranges of the file, which it keeps to at
   * most `MAX_PIECES` pieces.
   */
  addSent(orgId: string, sessionId: string, sent: SentBytes, at: Date): Promise<void>;
  /**
   * Marks the link used (its first time stays) and the session completed: the named one of the link's, or the latest.
   * Adds the activity entry if that session was not completed before; without any session, if the link was not used
   * before. All as one, so that of two at once one counts. A withdrawn link is left as it is.
   */
  complete(
    orgId: string,
    linkId: string,
    completion: { readonly sessionId: string | null; readonly at: Date; readonly activity: ActivityEntry },
  ): Promise<CompletedDownload>;
}

/** `usedAt`: when a download by that link was complete for the first time. */
export type CompletedDownload =
  | { readonly kind: 'completed'; readonly sessionId: string | null; readonly usedAt: Date }
  | { readonly kind: 'unknown' | 'unknown-session' | 'revoked' };

/** The addresses that receipts bring. They may be made by cryptography that answers later. */
export interface LinkAddresses {
  /** The absolute address of the link's page. */
  url(orgId: string, linkId: string): string | Promise<string>;
  /** The absolute address of the page where buyers ask for new links. */
  myUrl(): string;
  /** The absolute address of the library that the link opens to the owner of this e-mail address. Left out: mails name none. */
  libraryUrl?(orgId: string, linkId: string, email: string): string | Promise<string>;
}

/** What the token of a library holds. */
export interface LibraryToken {
  readonly orgId: string;
  readonly linkId: string;
  /** Whether it was made for this e-mail address, in any spelling. */
  isFor(email: string): boolean;
}

/** The ids that a token of a link holds. */
export interface NamedLink {
  readonly orgId: string;
  readonly linkId: string;
}

/** What reads the tokens of links. It may use cryptography that answers later. */
export interface LinkTokenReader {
  /** Null for anything that we did not seal ourselves, in exactly the one spelling we gave it. */
  open(token: string): NamedLink | null | Promise<NamedLink | null>;
}

/** Turns a link's id into the capability that buyers hold, and back. */
export interface DownloadTokens extends LinkTokenReader {
  seal(orgId: string, linkId: string): string;
  open(token: string): NamedLink | null;
  /** The absolute address of the link's page. */
  url(orgId: string, linkId: string): string;
  /** The absolute address of the page where buyers ask for new links. */
  myUrl(): string;
  /** The absolute address of the library that the link opens to the owner of this e-mail address. No other token opens it. */
  libraryUrl(orgId: string, linkId: string, email: string): string;
  /** As `open`, for what ends the address of a library. */
  openLibrary(token: string): LibraryToken | null;
}
