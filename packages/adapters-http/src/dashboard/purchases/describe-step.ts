import {
  LINK_LIFETIME_MS,
  normalizeSlug,
  type Platforms,
  type PurchaseRecord,
  type PurchaseSession,
  type TimelineStep,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { formatDuration, formatSize } from '../../pages/words.ts';
import { linkButton } from '../parts/button.ts';
import {
  atIcon,
  barIcon,
  brokenIcon,
  checkIcon,
  eyeIcon,
  flagIcon,
  historyIcon,
  linkIcon,
  mailFailedIcon,
  mailSentIcon,
  purchaseIcon,
  receivedIcon,
  refreshIcon,
  sendIcon,
  tagIcon,
  verifiedIcon,
} from '../parts/icons.ts';
import { counted, formatMoney, formatTimes } from '../parts/money.ts';
import { formatShare, percentOf } from '../parts/share.ts';
import { skuChip } from '../parts/sku-chip.ts';
import { exactTime, formatElapsed } from '../parts/time.ts';
import type { TimelineEvent } from '../parts/timeline.ts';
import { formatOrigin } from './source-words.ts';

/** Formats each step as a title and a sentence of evidence. `isDismissed`: its refused receipt. */
export function describeStep(
  step: TimelineStep,
  record: PurchaseRecord,
  platforms: Platforms,
  isDismissed: boolean,
): TimelineEvent {
  // Each event gets its own time, so that only the first shows the clock.
  return { at: step.at && new Date(step.at), ...describe(step.kind, step, record, platforms, isDismissed) };
}

type Description = Omit<TimelineEvent, 'at'>;
type Kind = TimelineStep['kind'];
type Describe<Of extends Kind> = (
  step: TimelineStep & { readonly kind: Of },
  record: PurchaseRecord,
  platforms: Platforms,
  isDismissed: boolean,
) => Description;

function describe<Of extends Kind>(kind: Of, ...args: Parameters<Describe<Of>>): Description {
  return DESCRIBE[kind](...args);
}

const DESCRIBE: { readonly [Of in Kind]: Describe<Of> } = {
  received: ({ delivery }, record, platforms) => ({
    icon: receivedIcon,
    title: 'Order received',
    evidence: html`${formatOrigin(platforms, record)}, order ${record.orderNumber ?? record.orderId ?? ''}. <a class="link" href="/dashboard/webhook-log/${delivery.id}">Log entry</a>`,
  }),
  verified: (_, { source, connectionName }, platforms) => ({
    icon: verifiedIcon,
    title: platforms.hasSecretInUrl(source) ? 'Secret verified' : 'Signature verified',
    evidence: html`By a secret of the connection ${connectionName ?? 'main'}.`,
  }),
  matched: ({ delivery: { sku } }, { productName, productSlug, version }) => ({
    icon: tagIcon,
    title: 'Matched',
    evidence: html`${skuChip(sku)} ${normalizeSlug(sku) === productSlug ? 'is the slug of' : 'is mapped to'} <bdi>${productName}</bdi>${version ? `, version ${version.label}` : ''}.`,
  }),
  recorded: ({ byHand }, { amount, currency, paymentMethod, source }, platforms) => ({
    icon: purchaseIcon,
    title: byHand ? 'Sale recorded' : 'Purchase recorded',
    evidence: html`${formatMoney(amount, currency)}${byHand && ` by ${paymentMethod}`}${platforms.isNetOfTax(source) && ' without tax'}, with a new download link.`,
  }),
  'receipt-accepted': ({ receipt }) => ({
    icon: mailSentIcon,
    title: 'Receipt accepted',
    evidence: html`The mail server answered “<q class="words">${receipt.lastAnswer ?? ''}</q>”.`,
  }),
  'receipt-without': () => ({
    icon: mailSentIcon,
    title: 'Receipt sent without it',
    evidence: 'The purchase was revoked at that time.',
  }),
  'receipt-refused': ({ receipt }, { id }, _, isDismissed) => ({
    icon: mailFailedIcon,
    title: 'Receipt refused',
    tone: 'held',
    evidence: html`The mail server answered “<q class="words">${receipt.lastAnswer ?? ''}</q>” and refuses further tries. ${actions([`${id}/address`, 'Correct the address'], ...(isDismissed ? [] : [[`${id}/dismiss`, 'Dismiss'] as const]))}`,
  }),
  'receipt-delayed': ({ receipt }, { id }) => ({
    icon: mailFailedIcon,
    title: 'Receipt not taken yet',
    tone: 'held',
    evidence: html`The mail server answered “<q class="words">${receipt.lastAnswer ?? ''}</q>”. ${counted(receipt.attempts, 'try', 'tries')} so far. ${actions([`${id}/resend`, 'Send it now'])}`,
  }),
  event: ({ event }, { source }, platforms) => ({
    icon: receivedIcon,
    title: `Update from ${platforms.vendorOf(source)}`,
    evidence: html`${event.reason} It changed nothing here. <a class="link" href="/dashboard/webhook-log/${event.deliveryId}">Log entry</a>`,
  }),
  action: ({ entry }) => ({
    ...(ACTIONS[entry.kind] ?? { icon: historyIcon, title: 'Changed' }),
    evidence: html`${entry.summary}${entry.actor ? ` By ${entry.actor}.` : ''}`,
  }),
  'link-mailed': ({ link }, { customerEmail, activity }) => ({
    icon: linkIcon,
    title: 'New link mailed',
    evidence: html`${isCorrectedSince(activity, link.createdAt) ? 'To the former address' : html`To <bdi>${customerEmail}</bdi>`}: requested at “My downloads”, or sent again. ${link.openedCount === 0 ? 'It was not opened yet.' : html`It was opened ${formatTimes(link.openedCount)}.`}`,
  }),
  opened: ({ link }) => ({
    icon: eyeIcon,
    title: 'Link opened',
    evidence: html`Opened ${formatTimes(link.openedCount)}, by the buyer or a mail scanner. Each opening gives the link another ${formatDuration(LINK_LIFETIME_MS)}.`,
  }),
  interrupted: ({ file }) => ({
    icon: brokenIcon,
    title: `Download interrupted at ${percentOf(file)} %`,
    tone: 'held',
    evidence: html`<bdi>${file.name}</bdi>, ${formatShare(file)}. The buyer can resume it where it stopped.`,
  }),
  downloading: ({ file }) => ({
    icon: receivedIcon,
    title: `Downloading: ${percentOf(file)} %`,
    tone: 'pending',
    evidence: html`<bdi>${file.name}</bdi>, ${formatShare(file)}.`,
  }),
  resumed: ({ file }) => ({
    icon: refreshIcon,
    title: 'Download resumed',
    evidence: html`<bdi>${file.name}</bdi>, in a new session.`,
  }),
  'last-byte': ({ session }) => ({
    icon: flagIcon,
    title: 'Last byte sent',
    evidence: html`${paceOf(session)} <a class="link" href="/dashboard/downloads/${session.id}">See this download</a>`,
  }),
  completed: ({ session }) => ({
    icon: checkIcon,
    title: 'Download completed',
    tone: 'success',
    evidence: html`Confirmed by the buyer’s ${session?.client === 'browser' ? 'browser' : 'program'}. The link is marked used.`,
  }),
  'awaits-receipt': (_, { receipt }) => ({
    icon: mailSentIcon,
    title: 'Receipt',
    evidence: receipt?.postponed
      ? html`Your organisation has sent as many mails as it may in one hour. This one is sent after ${exactTime(receipt.nextTryAt)}.`
      : receipt?.lastAnswer
        ? html`Not taken by the mail server yet. Next try: ${exactTime(receipt.nextTryAt)}.`
        : 'Queued.',
  }),
  'awaits-opening': () => ({
    icon: eyeIcon,
    title: 'Link opened',
    evidence: 'Not opened yet.',
  }),
  'awaits-last-byte': (_, { version }) => ({
    icon: flagIcon,
    title: 'Last byte sent',
    evidence: version ? 'Not fully downloaded yet.' : 'The product has no live version yet.',
  }),
  'awaits-completion': () => ({
    icon: checkIcon,
    title: 'Download completed',
    evidence: 'Not confirmed yet by the buyer’s browser or program.',
  }),
};

const ACTIONS: Readonly<Record<string, Pick<Description, 'icon' | 'title'>>> = {
  'receipt-resent': { icon: sendIcon, title: 'Receipt sent again' },
  'address-corrected': { icon: atIcon, title: 'Address corrected' },
  'link-requested': { icon: linkIcon, title: 'New link requested' },
  'link-revoked': { icon: barIcon, title: 'Revoked' },
  'link-restored': { icon: refreshIcon, title: 'Restored' },
};

/** The link went to the address that the purchase had then, which is not kept. */
function isCorrectedSince(activity: PurchaseRecord['activity'], madeAt: Date): boolean {
  return activity.some(({ kind, at }) => kind === 'address-corrected' && at > madeAt);
}

function actions(...links: readonly (readonly [path: string, words: string])[]): Html {
  return html`<span class="step-actions">${links.map(([path, words]) => linkButton(`/dashboard/purchases/${path}`, { words, small: true }))}</span>`;
}

function paceOf({ files, startedAt, lastByteAt }: PurchaseSession): string {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const passed = lastByteAt.getTime() - startedAt.getTime();
  const size = `${nameFiles(files)}${formatSize(bytes)}`;
  if (passed < 1000) return `${size} at once.`;
  return `${size} in ${formatElapsed(passed)}, ${formatSize(Math.round((bytes / passed) * 1000))}/s on average.`;
}

/** Names the files, as evidence against a buyer who disputes the charge. */
function nameFiles(files: PurchaseSession['files']): string {
  const names = files.map(({ name }) => name);
  return names.length > MAX_NAMED ? `${names.length} files, ` : `${names.join(', ')}: `;
}

const MAX_NAMED = 3;
