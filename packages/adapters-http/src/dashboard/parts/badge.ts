import type {
  ConnectionState,
  DeliveryStatus,
  DownloadState,
  LineOutcome,
  ProductStatus,
  PurchaseState,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import {
  alertIcon,
  archiveIcon,
  barIcon,
  brokenIcon,
  checkIcon,
  crossIcon,
  expiredIcon,
  flagIcon,
  flaskIcon,
  keyIcon,
  linkIcon,
  mailFailedIcon,
  mailSentIcon,
  pauseIcon,
  pencilIcon,
  pendingIcon,
  plugIcon,
  quietIcon,
  receivedIcon,
  refundIcon,
  slashIcon,
  tagIcon,
  uploadIcon,
} from './icons.ts';

export type Tone = 'quiet' | 'success' | 'held' | 'error' | 'pending';

interface Look {
  readonly words: string;
  readonly tone: Tone;
  readonly icon: Html;
}

/** The states of each kind of thing that has a badge. */
interface States {
  /** Of a check of the installation. */
  readonly check: 'good' | 'warning' | 'problem';
  readonly connection: ConnectionState;
  readonly delivery: DeliveryStatus | 'unmatched';
  readonly download: DownloadState;
  /** Of an invitation that was not accepted: whether its mail was sent, and whether it is still valid. */
  readonly invitation: 'pending' | 'sent' | 'refused' | 'expired';
  /** Of a line of an order: what became of it, or would. */
  readonly line: LineOutcome;
  readonly link: 'open' | 'used' | 'expired' | 'revoked';
  readonly product: ProductStatus;
  readonly purchase: PurchaseState;
  readonly version: 'live' | 'uploading' | 'ready';
}

/**
 * A status as an icon, a word and a colour. The icons' shapes differ, so that the meaning does not depend
 * on colour.
 */
export function statusBadge<Kind extends keyof States>(kind: Kind, state: States[Kind]): Html {
  return badge(LOOKS[kind][state]);
}

/** Its word, such as “Delivered”. */
export function statusWords<Kind extends keyof States>(kind: Kind, state: States[Kind]): string {
  return LOOKS[kind][state].words;
}

/** For dense lists and beside names: only the icon is visible, and its word is for screen readers. */
export function statusMark<Kind extends keyof States>(kind: Kind, state: States[Kind]): Html {
  return mark(LOOKS[kind][state]);
}

function mark({ words, tone, icon }: Look): Html {
  return html`<span class="mark-icon" data-tone="${tone}">${icon}<span class="visually-hidden">${words}</span></span>`;
}

/** For use beside a visible word. */
export function deliveryIcon(status: DeliveryStatus): Html {
  const { tone, icon } = LOOKS.delivery[status];
  return html`<span class="mark-icon" data-tone="${tone}">${icon}</span>`;
}

/** For what a test order brought: it counts nowhere. Null for all else. */
export function testBadge({ isTest }: { readonly isTest: boolean }): Html | null {
  return isTest ? badge({ words: 'Test', tone: 'quiet', icon: flaskIcon }) : null;
}

const REFUND: Look = { words: 'Refund', tone: 'held', icon: refundIcon };

/** Its shop said that it gave money back. It changes nothing by itself. Null for all else. */
export function refundBadge({ refundedAt }: { readonly refundedAt: Date | null }): Html | null {
  return refundedAt === null ? null : badge(REFUND);
}

/** The same as an icon, beside an amount. */
export function refundMark({ refundedAt }: { readonly refundedAt: Date | null }): Html | null {
  return refundedAt === null ? null : mark(REFUND);
}

function badge({ words, tone, icon }: Look): Html {
  return html`<span class="badge" data-tone="${tone}">${icon}${words}</span>`;
}

const LOOKS: { readonly [Kind in keyof States]: Readonly<Record<States[Kind], Look>> } = {
  check: {
    good: { words: 'Good', tone: 'success', icon: checkIcon },
    warning: { words: 'Warning', tone: 'held', icon: alertIcon },
    problem: { words: 'Fix this', tone: 'error', icon: crossIcon },
  },
  connection: {
    working: { words: 'Working', tone: 'success', icon: checkIcon },
    waiting: { words: 'No order yet', tone: 'quiet', icon: pendingIcon },
    quiet: { words: 'Quiet', tone: 'held', icon: quietIcon },
    rejecting: { words: 'Rejecting', tone: 'error', icon: keyIcon },
    'not-set-up': { words: 'Not set up', tone: 'quiet', icon: plugIcon },
    unmapped: { words: 'Unmapped', tone: 'held', icon: brokenIcon },
  },
  delivery: {
    pending: { words: 'Pending', tone: 'pending', icon: pendingIcon },
    success: { words: 'Success', tone: 'success', icon: checkIcon },
    error: { words: 'Error', tone: 'error', icon: crossIcon },
    held: { words: 'Held', tone: 'held', icon: pauseIcon },
    ignored: { words: 'Ignored', tone: 'quiet', icon: slashIcon },
    unmatched: { words: 'Unmatched', tone: 'held', icon: tagIcon },
  },
  download: {
    completed: { words: 'Completed', tone: 'success', icon: checkIcon },
    sent: { words: 'Sent whole', tone: 'quiet', icon: flagIcon },
    running: { words: 'Downloading', tone: 'pending', icon: receivedIcon },
    interrupted: { words: 'Interrupted', tone: 'held', icon: brokenIcon },
    started: { words: 'Started', tone: 'quiet', icon: pendingIcon },
  },
  invitation: {
    pending: { words: 'Pending', tone: 'pending', icon: pendingIcon },
    sent: { words: 'Sent', tone: 'quiet', icon: mailSentIcon },
    refused: { words: 'Refused', tone: 'error', icon: mailFailedIcon },
    expired: { words: 'Expired', tone: 'quiet', icon: expiredIcon },
  },
  line: {
    delivered: { words: 'Delivered', tone: 'success', icon: checkIcon },
    'already-delivered': { words: 'Already delivered', tone: 'quiet', icon: checkIcon },
    held: { words: 'Held', tone: 'held', icon: pauseIcon },
    unmatched: { words: 'Unmatched', tone: 'held', icon: tagIcon },
    'not-ours': { words: 'Ignored', tone: 'quiet', icon: slashIcon },
  },
  link: {
    open: { words: 'Open', tone: 'pending', icon: linkIcon },
    used: { words: 'Used', tone: 'success', icon: flagIcon },
    expired: { words: 'Expired', tone: 'quiet', icon: expiredIcon },
    revoked: { words: 'Revoked', tone: 'error', icon: barIcon },
  },
  product: {
    draft: { words: 'Draft', tone: 'quiet', icon: pencilIcon },
    published: { words: 'Published', tone: 'success', icon: checkIcon },
    archived: { words: 'Archived', tone: 'quiet', icon: archiveIcon },
  },
  purchase: {
    revoked: { words: 'Revoked', tone: 'error', icon: barIcon },
    refused: { words: 'Receipt refused', tone: 'error', icon: mailFailedIcon },
    pending: { words: 'Receipt pending', tone: 'pending', icon: pendingIcon },
    used: { words: 'Downloaded', tone: 'success', icon: flagIcon },
    expired: { words: 'Link expired', tone: 'quiet', icon: expiredIcon },
    delivered: { words: 'Delivered', tone: 'success', icon: checkIcon },
    open: { words: 'Link open', tone: 'pending', icon: linkIcon },
  },
  version: {
    live: { words: 'Live', tone: 'success', icon: checkIcon },
    uploading: { words: 'Uploading', tone: 'pending', icon: uploadIcon },
    ready: { words: 'Ready', tone: 'quiet', icon: archiveIcon },
  },
};
