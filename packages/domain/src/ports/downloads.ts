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
  /**
   * Counts an opening, records its time if it is the first, and moves the expiry. False, with nothing changed: the link
   * is expired or revoked at `at`.
   */
  refresh(orgId: string, linkId: string, at: Date, expiresAt: Date): Promise<boolean>;
  /** Moves the expiry as `refresh` does, but counts no opening: fetching a file in a hundred parts opens no page. */
  prolong(orgId: string, linkId: string, at: Date, expiresAt: Date): Promise<boolean>;
  /**
   * Everything that was bought with the address (normalized) at any organisation, newest first, except purchases whose
   * newest link is revoked. Each has its newest link, unless its links were replaced since `mailedAt`. `before`: only
   * what was bought before that purchase, if it is the buyer's. `renewal`: listed links that still work at `at` are
   * extended to `expiresAt`.
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
  /** A page of matching sessions, the most recently started first. */
  search(orgId: string, query: DownloadQuery): Promise<readonly DownloadSessionRow[]>;
  show(orgId: string, sessionId: string): Promise<DownloadSessionRecord | null>;
  /** Sessions that began in the period, oldest first, without holding them in memory. */
  list(orgId: string, period: { readonly from: Date; readonly until: Date }): AsyncIterable<ReportedSession>;
}

/** The bytes that were sent for each link. */
export interface DownloadSessions extends DownloadSessionPages {
  /**
   * Joins the session `joining`, if it belongs to the link and is not completed. Otherwise joins the link's latest
   * session, if that is not completed and a byte of it was sent within the last `SESSION_PAUSE_MS`. Otherwise starts one
   * with the id `sessionId`. A link with `MAX_SESSIONS_PER_LINK` sessions gets no new one: its latest is joined, even if
   * completed. Returns the id of the session; null for an unknown link.
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
   * Adds bytes of one file that were sent, to the sum of the session and to the ranges of the file. A file has at most
   * `MAX_PIECES` ranges.
   */
  addSent(orgId: string, sessionId: string, sent: SentBytes, at: Date): Promise<void>;
  /**
   * Marks the link used (the first time stays) and the session completed: the named session of the link, or its latest.
   * Adds the activity entry if that session was not completed before or, without a session, if the link was not used
   * before. All of this is atomic, so that one of two concurrent calls counts. A revoked link is not changed.
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

/** The URLs in receipts. Cryptography may be asynchronous. */
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

/** Reads the tokens of links. Cryptography may be asynchronous. */
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
  /** Like `open`, for the token at the end of a library's URL. */
  openLibrary(token: string): LibraryToken | null;
}
