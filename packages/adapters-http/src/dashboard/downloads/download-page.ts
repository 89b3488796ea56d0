import {
  classifyDownload,
  type DownloadSessionRecord,
  type DownloadState,
  type FileProgress,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { statusBadge } from '../parts/badge.ts';
import { linkButton } from '../parts/button.ts';
import { type Fact, factsCard } from '../parts/facts.ts';
import { brokenIcon, checkIcon, flagIcon, purchaseIcon, receivedIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { counted } from '../parts/money.ts';
import { pageHeader } from '../parts/page-header.ts';
import { restoreForm, revokeButton, revokeDialog } from '../parts/revoke.ts';
import { formatShare, percentOf } from '../parts/share.ts';
import { dayAndMinute, exactTime, relativeTime } from '../parts/time.ts';
import { type TimelineEvent, timeline } from '../parts/timeline.ts';
import { addressOf, EVERYTHING } from './download-view.ts';

interface ShownDownload {
  readonly record: DownloadSessionRecord;
  /** Purchases are for owners and admins. */
  readonly mayOpenPurchase: boolean;
  readonly csrfToken: string;
  readonly now: Date;
}

/** One download: the progress of each file, and its link. */
export function downloadPage(shown: ShownDownload): Answer {
  const { record, mayOpenPurchase, csrfToken, now } = shown;
  const { id, productName, customerName, movedTo, purchaseId } = record;
  const title = `${productName} for ${customerName}`;
  const toPurchase = linkButton(`/dashboard/purchases/${purchaseId}`, {
    words: 'Open the purchase',
    icon: purchaseIcon,
  });
  const main = html`${pageHeader({
    title,
    back: { href: addressOf(EVERYTHING), words: 'Downloads' },
    meta: [
      ...(record.version === null ? [] : [html`Version ${record.version}`]),
      html`Began ${exactTime(record.startedAt)}`,
      ...(record.client === null ? [] : [CLIENTS[record.client]]),
    ],
    actions: mayOpenPurchase ? [toPurchase] : [],
  })}<div class="with-facts">${progress(record, now)}
${factsCard([buyer(record), link(shown)])}</div>${
    record.purchaseRevokedAt === null
      ? revokeDialog({
          base: `/dashboard/downloads/${id}`,
          customerName: movedTo?.name ?? customerName,
          csrfToken,
        })
      : ''
  }`;
  const began = `${record.startedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return { kind: 'page', title, windowTitle: `${began} · ${title} · Downloads`, main };
}

const CLIENTS = { browser: 'By a browser', companion: 'By another program' } as const;

/** Polls while bytes are sent. Afterwards another element replaces the polling one. */
function progress(record: DownloadSessionRecord, now: Date): Html {
  const state = classifyDownload(record, now);
  const poll =
    state === 'running'
      ? html`hx-get="/dashboard/downloads/${record.id}" hx-trigger="every 3s" hx-select="[data-download-now]" hx-swap="outerMorph" data-polls`
      : '';
  return html`<section class="card" id="download-now-${state}" data-download-now ${poll}><header><h2>Progress</h2>${statusBadge('download', state)}</header>
<section>${files(record)}${timeline(tellSteps(record, state))}</section></section>`;
}

function files({ files: begun }: DownloadSessionRecord): Html | null {
  if (begun.length === 0) return null;
  return html`<ul class="download-files" aria-label="Files">${begun.map(file)}</ul>`;
}

function file(one: FileProgress): Html {
  const percent = percentOf(one);
  return html`<li><strong class="address"><bdi>${one.name}</bdi></strong><span class="figure">${percent} %</span>
<progress max="100" value="${percent}" aria-label="Sent of ${one.name}"></progress><span class="muted small">${formatShare(one)}, version ${one.version}</span></li>`;
}

function tellSteps(record: DownloadSessionRecord, state: DownloadState): readonly TimelineEvent[] {
  const { startedAt, lastByteAt, completedAt, filesBegun } = record;
  const began = {
    icon: receivedIcon,
    title: 'Download began',
    evidence:
      filesBegun === 0
        ? 'The file store sends it, so its progress is not known.'
        : counted(filesBegun, 'file'),
    at: startedAt,
  };
  const completed: TimelineEvent = {
    icon: checkIcon,
    title: 'Download completed',
    ...(completedAt && { tone: 'success' }),
    evidence: completedAt
      ? 'The buyer’s browser or program confirmed that all of it arrived.'
      : 'Not confirmed yet by the buyer’s browser or program.',
    at: completedAt,
  };
  const last = { ...LAST_BYTE[state], evidence: formatShare(record), at: new Date(lastByteAt) };
  return [began, ...(filesBegun === 0 ? [] : [last]), completed];
}

const LAST_BYTE: Readonly<Record<DownloadState, Pick<TimelineEvent, 'icon' | 'title' | 'tone'>>> = {
  completed: { icon: flagIcon, title: 'Last byte sent' },
  sent: { icon: flagIcon, title: 'Last byte sent' },
  running: { icon: receivedIcon, title: 'Downloading', tone: 'pending' },
  interrupted: { icon: brokenIcon, title: 'Download interrupted', tone: 'held' },
  started: { icon: receivedIcon, title: 'Last byte sent' },
};

function buyer({ customerName, customerEmail, movedTo }: DownloadSessionRecord): Fact {
  const others = addressOf({ ...EVERYTHING, text: customerEmail });
  return {
    term: 'Buyer',
    description: html`<strong><bdi>${customerName}</bdi></strong><div class="muted small address">${longText(customerEmail)}</div>${movedTo && correctedWords(movedTo.email)}<div class="small"><a class="link" href="${others}">All downloads of this buyer</a></div>`,
  };
}

/** The link was mailed to the former address, so the download may be another person's. */
function correctedWords(email: string): Html {
  return html`<div class="small">The link was made for this address, before it was corrected to <span class="address">${longText(email)}</span>.</div>`;
}

function link({ record, csrfToken, now }: ShownDownload): Fact {
  const base = `/dashboard/downloads/${record.id}`;
  const { purchaseRevokedAt } = record;
  // It is the purchase that is revoked.
  const customerName = record.movedTo?.name ?? record.customerName;
  const action =
    purchaseRevokedAt === null ? revokeButton(customerName) : restoreForm({ base, customerName, csrfToken });
  return {
    term: 'Download link',
    description: html`${linkStatus(record, now)}<div class="fact-actions">${action}</div>`,
  };
}

function linkStatus(record: DownloadSessionRecord, now: Date): Html {
  const { linkRevokedAt, linkExpiresAt, linkUsedAt, purchaseRevokedAt, movedTo } = record;
  if (linkRevokedAt !== null) {
    const why = movedTo
      ? 'It was replaced when the buyer’s address was corrected.'
      : 'It was replaced by a newer one.';
    const newer = purchaseRevokedAt === null ? html`<div class="muted small">${why}</div>` : '';
    return html`${statusBadge('link', 'revoked')} <span class="small">${relativeTime(linkRevokedAt, now)}</span>${newer}`;
  }
  const used =
    linkUsedAt === null ? '' : html`<div class="muted small">Used ${relativeTime(linkUsedAt, now)}</div>`;
  if (linkExpiresAt > now) return html`Works until <strong>${dayAndMinute(linkExpiresAt)}</strong>${used}`;
  return html`${statusBadge('link', 'expired')} <span class="small">${relativeTime(linkExpiresAt, now)}</span><div class="muted small">The buyer can request a new link.</div>${used}`;
}
