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

export type LinkState = 'open' | 'used' | 'expired' | 'revoked';
/** For an invitation that was not accepted: whether its mail was sent, and whether it is still valid. */
export type InvitationMark = 'pending' | 'sent' | 'refused' | 'expired';
export type VersionState = 'live' | 'uploading' | 'ready';

/**
 * A status as an icon, a word and a colour. The icons' shapes differ, so that the meaning does not depend
 * on colour.
 */
export function deliveryBadge(status: DeliveryStatus | 'unmatched'): Html {
  return badge(DELIVERY[status]);
}

export function productBadge(status: ProductStatus): Html {
  return badge(PRODUCT[status]);
}

export function purchaseBadge(state: PurchaseState): Html {
  return badge(PURCHASE[state]);
}

export function downloadBadge(state: DownloadState): Html {
  return badge(DOWNLOAD[state]);
}

/** For what a test order brought: it counts nowhere. Null for all else. */
export function testBadge({ isTest }: { readonly isTest: boolean }): Html | null {
  return isTest ? badge({ words: 'Test', tone: 'quiet', icon: flaskIcon }) : null;
}

export function linkBadge(state: LinkState): Html {
  return badge(LINK[state]);
}

export function connectionBadge(state: ConnectionState): Html {
  return badge(CONNECTION[state]);
}

/** For use beside a name; the state's word is visually hidden. */
export function connectionMark(state: ConnectionState): Html {
  return mark(CONNECTION[state]);
}

export function invitationBadge(state: InvitationMark): Html {
  return badge(INVITATION[state]);
}

export function versionBadge(state: VersionState): Html {
  return badge(VERSION[state]);
}

/** The outcome of one line of an order. */
export function lineBadge(outcome: LineOutcome): Html {
  return badge(LINE[outcome]);
}

/** The expected outcome of one line: only the icon of its badge. */
export function lineMark(outcome: LineOutcome): Html {
  return mark(LINE[outcome]);
}

/** For use beside a visible word. */
export function deliveryIcon(status: DeliveryStatus): Html {
  const { tone, icon } = DELIVERY[status];
  return html`<span class="mark-icon" data-tone="${tone}">${icon}</span>`;
}

/** In dense lists the icon stands alone; its word is for screen readers. */
export function deliveryMark(status: DeliveryStatus | 'unmatched'): Html {
  return mark(DELIVERY[status]);
}

/** The state of a check of the installation. */
export function checkBadge(state: 'good' | 'warning' | 'problem'): Html {
  return badge(CHECK[state]);
}

function mark({ words, tone, icon }: Look): Html {
  return html`<span class="mark-icon" data-tone="${tone}">${icon}<span class="visually-hidden">${words}</span></span>`;
}

function badge({ words, tone, icon }: Look): Html {
  return html`<span class="badge" data-tone="${tone}">${icon}${words}</span>`;
}

const DELIVERY: Readonly<Record<DeliveryStatus | 'unmatched', Look>> = {
  pending: { words: 'Pending', tone: 'pending', icon: pendingIcon },
  success: { words: 'Success', tone: 'success', icon: checkIcon },
  error: { words: 'Error', tone: 'error', icon: crossIcon },
  held: { words: 'Held', tone: 'held', icon: pauseIcon },
  ignored: { words: 'Ignored', tone: 'quiet', icon: slashIcon },
  unmatched: { words: 'Unmatched', tone: 'held', icon: tagIcon },
};

const CHECK: Readonly<Record<'good' | 'warning' | 'problem', Look>> = {
  good: { words: 'Good', tone: 'success', icon: checkIcon },
  warning: { words: 'Warning', tone: 'held', icon: alertIcon },
  problem: { words: 'Fix this', tone: 'error', icon: crossIcon },
};

const LINE: Readonly<Record<LineOutcome, Look>> = {
  delivered: { words: 'Delivered', tone: 'success', icon: checkIcon },
  'already-delivered': { words: 'Already delivered', tone: 'quiet', icon: checkIcon },
  held: { words: 'Held', tone: 'held', icon: pauseIcon },
  unmatched: { words: 'Unmatched', tone: 'held', icon: tagIcon },
  'not-ours': { words: 'Ignored', tone: 'quiet', icon: slashIcon },
};

const PRODUCT: Readonly<Record<ProductStatus, Look>> = {
  draft: { words: 'Draft', tone: 'quiet', icon: pencilIcon },
  published: { words: 'Published', tone: 'success', icon: checkIcon },
  archived: { words: 'Archived', tone: 'quiet', icon: archiveIcon },
};

const LINK: Readonly<Record<LinkState, Look>> = {
  open: { words: 'Open', tone: 'pending', icon: linkIcon },
  used: { words: 'Used', tone: 'success', icon: flagIcon },
  expired: { words: 'Expired', tone: 'quiet', icon: expiredIcon },
  revoked: { words: 'Revoked', tone: 'error', icon: barIcon },
};

const DOWNLOAD: Readonly<Record<DownloadState, Look>> = {
  completed: { words: 'Completed', tone: 'success', icon: checkIcon },
  sent: { words: 'Sent whole', tone: 'quiet', icon: flagIcon },
  running: { words: 'Downloading', tone: 'pending', icon: receivedIcon },
  interrupted: { words: 'Interrupted', tone: 'held', icon: brokenIcon },
  started: { words: 'Started', tone: 'quiet', icon: pendingIcon },
};

const PURCHASE: Readonly<Record<PurchaseState, Look>> = {
  revoked: { words: 'Revoked', tone: 'error', icon: barIcon },
  refused: { words: 'Receipt refused', tone: 'error', icon: mailFailedIcon },
  pending: { words: 'Receipt pending', tone: 'pending', icon: pendingIcon },
  used: { words: 'Downloaded', tone: 'success', icon: flagIcon },
  expired: { words: 'Link expired', tone: 'quiet', icon: expiredIcon },
  delivered: { words: 'Delivered', tone: 'success', icon: checkIcon },
  open: { words: 'Link open', tone: 'pending', icon: linkIcon },
};

const CONNECTION: Readonly<Record<ConnectionState, Look>> = {
  working: { words: 'Working', tone: 'success', icon: checkIcon },
  waiting: { words: 'No order yet', tone: 'quiet', icon: pendingIcon },
  quiet: { words: 'Quiet', tone: 'held', icon: quietIcon },
  rejecting: { words: 'Rejecting', tone: 'error', icon: keyIcon },
  'not-set-up': { words: 'Not set up', tone: 'quiet', icon: plugIcon },
  unmapped: { words: 'Unmapped', tone: 'held', icon: brokenIcon },
};

const INVITATION: Readonly<Record<InvitationMark, Look>> = {
  pending: { words: 'Pending', tone: 'pending', icon: pendingIcon },
  sent: { words: 'Sent', tone: 'quiet', icon: mailSentIcon },
  refused: { words: 'Refused', tone: 'error', icon: mailFailedIcon },
  expired: { words: 'Expired', tone: 'quiet', icon: expiredIcon },
};

const VERSION: Readonly<Record<VersionState, Look>> = {
  live: { words: 'Live', tone: 'success', icon: checkIcon },
  uploading: { words: 'Uploading', tone: 'pending', icon: uploadIcon },
  ready: { words: 'Ready', tone: 'quiet', icon: archiveIcon },
};
