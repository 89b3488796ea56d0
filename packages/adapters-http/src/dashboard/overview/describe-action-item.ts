import {
  type ActionItem,
  type FailedOrders,
  type HeldOrders,
  MAX_WAITING,
  minSecretLength,
  type Platforms,
  type PostponedReceipts,
  type RefusedReceipts,
  type RejectingPlatform,
  type ShortSecretConnection,
  type SilentConnection,
  type UnmatchedSkus,
  type UnreadableDeliveries,
} from '@handover/domain';
import { type Html, type HtmlValue, html, joinHtml } from '@handover/html';
import { formatClockTime } from '../../pages/words.ts';
import type { Tone } from '../parts/badge.ts';
import {
  alertIcon,
  crossIcon,
  expiredIcon,
  keyIcon,
  mailFailedIcon,
  pauseIcon,
  pendingIcon,
  quietIcon,
  tagIcon,
} from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { counted } from '../parts/money.ts';
import { skuChip } from '../parts/sku-chip.ts';
import { formatDayOfYear, formatElapsed } from '../parts/time.ts';

interface DescribedActionItem {
  readonly icon: Html;
  readonly tone: Tone;
  readonly title: string;
  readonly reason: HtmlValue;
  readonly href: string;
  /** The button's label. */
  readonly words: string;
}

/** Describes what happened, why, and where to fix it. */
export function describeActionItem(
  { platforms }: { readonly platforms: Platforms },
  actionItem: ActionItem,
  now: Date,
): DescribedActionItem {
  switch (actionItem.kind) {
    case 'held':
      return describeHeld(actionItem.facts);
    case 'unmatched':
      return describeUnmatched(actionItem.facts);
    case 'refused':
      return describeRefused(actionItem.facts);
    case 'postponed':
      return describePostponed(actionItem.facts);
    case 'failed':
      return describeFailed(platforms, actionItem.facts);
    case 'unreadable':
      return describeUnreadable(platforms, actionItem.facts);
    case 'rejecting':
      return describeRejecting(platforms, actionItem.facts, now);
    case 'silent':
      return describeSilent(platforms, actionItem.facts, now);
    case 'short-secret':
      return describeShortSecret(platforms, actionItem.facts);
    case 'alerts-given-up':
      return {
        icon: alertIcon,
        tone: 'error',
        title: 'Alerts do not reach you',
        reason: html`An alert mail could not be delivered. <bdi>${actionItem.facts.answer ?? ''}</bdi>`,
        href: '/dashboard/settings/organisation',
        words: 'Check the address',
      };
    case 'subscription-ends':
      return {
        icon: expiredIcon,
        tone: 'held',
        title: `The subscription ends on ${formatDayOfYear(actionItem.facts.expiresAt)}`,
        reason: 'After that, orders are held and the dashboard is closed until it is renewed.',
        href: '/dashboard/settings/organisation',
        words: 'See the organisation',
      };
  }
}

function describeHeld({
  productId,
  productName,
  productStatus,
  hasLiveVersion,
  orders,
}: HeldOrders): DescribedActionItem {
  const all = orders === 1 ? 'the order' : `all ${countWord(orders)}`;
  const isDraft = productStatus === 'draft';
  return {
    icon: pauseIcon,
    tone: 'held',
    title: `${orders === 1 ? 'One order is' : `${orders} orders are`} held for ${productName}`,
    reason: isDraft
      ? hasLiveVersion
        ? html`The product is still a draft. Publishing it delivers ${all}.`
        : html`The product is a draft without a live version. Upload one, then publishing delivers ${all}.`
      : hasLiveVersion
        ? html`The product can be delivered now. A button on its page delivers ${all}.`
        : html`The product has no live version. Making one live delivers ${all}.`,
    href: `/dashboard/products/${productId}`,
    words: isDraft && hasLiveVersion ? 'Review and publish' : 'Open the product',
  };
}

function describeUnmatched({ skus, orders, named }: UnmatchedSkus): DescribedActionItem {
  const names = named.map(
    ({ sku, orders: of }, at) => html`${skuChip(sku)} in ${at === 0 ? counted(of, 'order') : of}`,
  );
  const [only] = skus === 1 ? named : [];
  const others = skus - named.length;
  const listed = others > 0 ? html`${joinHtml(names, ', ')}, and ${others} more` : joinHtml(names, ' and ');
  return {
    icon: tagIcon,
    tone: 'held',
    title: skus === 1 ? 'One SKU matches no product' : `${skus} SKUs match no product`,
    reason: html`${listed}. Nothing was delivered for ${orders === 1 ? 'this line' : 'these lines'}.`,
    href: `/dashboard/purchases/unmatched${only ? `/map?${new URLSearchParams({ sku: only.sku })}` : ''}`,
    words: skus === 1 ? 'Match the SKU' : 'Match SKUs',
  };
}

function describeRefused({ count, newest }: RefusedReceipts): DescribedActionItem {
  const { customerName, customerEmail, productName, moreProducts, answer, purchaseId } = newest;
  const more = moreProducts === 0 ? '' : ` and ${counted(moreProducts, 'more product')}`;
  const said = answer === null ? '' : html` The mail server answered “<bdi>${answer}</bdi>”.`;
  return {
    icon: mailFailedIcon,
    tone: 'error',
    title: count === 1 ? 'One receipt did not arrive' : `${upTo(count)} receipts did not arrive`,
    reason: html`${count === 1 ? '' : 'The newest: '}<bdi>${customerName}</bdi> bought <bdi>${productName}</bdi>${more} (<span class="mono">${longText(customerEmail)}</span>).${said}`,
    href: count === 1 ? `/dashboard/purchases/${purchaseId}/address` : '/dashboard/purchases?receipt=refused',
    words: count === 1 ? 'Correct the address' : 'See the receipts',
  };
}

function describePostponed({ count, until }: PostponedReceipts): DescribedActionItem {
  return {
    icon: pendingIcon,
    tone: 'held',
    title: count === 1 ? 'One receipt waits' : `${upTo(count)} receipts wait`,
    reason: html`Your organisation has sent as many mails as it may in one hour. ${count === 1 ? 'It is' : 'They are'} sent after ${formatClockTime(until)}, and none is lost. Is this more than you sell? Then look at what came in.`,
    href: '/dashboard/webhook-log?status=pending',
    words: 'See what is pending',
  };
}

function describeFailed(
  platforms: Platforms,
  { count, withoutAddress, newest }: FailedOrders,
): DescribedActionItem {
  const { platform, orderNumber, reason, deliveryId, lacksAddress } = newest;
  const order = `${platforms.vendorOf(platform)} order ${orderNumber}`;
  const entry = `/dashboard/webhook-log/${deliveryId}`;
  const open = lacksAddress
    ? { href: `${entry}/address`, words: 'Add address' }
    : { href: entry, words: 'Look at the order' };
  const list =
    withoutAddress === count
      ? { href: '/dashboard/webhook-log?status=error&cause=no-address', words: 'Add addresses' }
      : { href: '/dashboard/webhook-log?status=error', words: 'See the orders' };
  return {
    icon: crossIcon,
    tone: 'error',
    title: count === 1 ? 'One order was not delivered' : `${upTo(count)} orders were not delivered`,
    reason: html`${count === 1 ? '' : 'The newest: '}<bdi>${order}</bdi>. <bdi>${reason}</bdi>`,
    ...(count === 1 ? open : list),
  };
}

function describeUnreadable(
  platforms: Platforms,
  { count, newest }: UnreadableDeliveries,
): DescribedActionItem {
  const { platform, orderNumber, reason, deliveryId } = newest;
  const vendor = platforms.vendorOf(platform);
  const what =
    orderNumber === null
      ? html`It is genuine, and there may be an order in it. ${count === 1 ? 'From' : 'The newest is from'} ${vendor}.`
      : html`${count === 1 ? '' : 'The newest: '}<bdi>${vendor} order ${orderNumber}</bdi>.`;
  return {
    icon: alertIcon,
    tone: 'error',
    title: count === 1 ? 'One delivery could not be read' : `${upTo(count)} deliveries could not be read`,
    reason: html`${what} <bdi>${reason}</bdi>`,
    href:
      count === 1
        ? `/dashboard/webhook-log/${deliveryId}`
        : '/dashboard/webhook-log?status=error&cause=unreadable',
    words: count === 1 ? 'Look at it' : 'See the deliveries',
  };
}

function describeRejecting(
  platforms: Platforms,
  { platform, rejected, hasSecret, lastDeliveryAt }: RejectingPlatform,
  now: Date,
): DescribedActionItem {
  const fault = hasSecret
    ? `${rejected === 1 ? 'Its signature does' : 'Their signatures do'} not match the secret stored here.`
    : 'No secret is stored here.';
  const last =
    lastDeliveryAt !== null
      ? `The last valid delivery was ${formatElapsed(wholeMinutes(lastDeliveryAt, now))} ago.`
      : hasSecret
        ? 'No delivery has matched it so far.'
        : 'Once it is set, you can deliver what was rejected.';
  return {
    icon: keyIcon,
    tone: 'error',
    title: `${platforms.vendorOf(platform)}: ${counted(rejected, 'delivery', 'deliveries')} rejected`,
    reason: html`${fault} ${last}`,
    href: `/dashboard/settings/integrations/${platform}`,
    words: hasSecret ? 'Check the secret' : 'Set the secret',
  };
}

function describeSilent(
  platforms: Platforms,
  { connectionId, platform, name, lastDeliveryAt }: SilentConnection,
  now: Date,
): DescribedActionItem {
  const silence = formatElapsed(wholeMinutes(lastDeliveryAt, now));
  return {
    icon: quietIcon,
    tone: 'held',
    title: `${platforms.vendorOf(platform)}, ${name}: silent for ${silence}`,
    reason: 'Several times longer than usual. Check whether the shop still sends.',
    href: `/dashboard/settings/integrations/${platform}?shop=${connectionId}`,
    words: 'Check the connection',
  };
}

function describeShortSecret(
  platforms: Platforms,
  { connectionId, platform, name }: ShortSecretConnection,
): DescribedActionItem {
  return {
    icon: keyIcon,
    tone: 'held',
    title: `${platforms.vendorOf(platform)}, ${name}: the secret is short`,
    reason: html`It still works, but a secret of ${platforms.vendorOf(platform)} needs at least ${minSecretLength(platform, platforms)} characters now. A short one can be guessed.`,
    href: `/dashboard/settings/integrations/${platform}?shop=${connectionId}`,
    words: 'Set a longer one',
  };
}

function wholeMinutes(at: Date, now: Date): number {
  return Math.max(60_000, Math.floor((now.getTime() - at.getTime()) / 60_000) * 60_000);
}

function upTo(count: number): string {
  return count === MAX_WAITING ? `${MAX_WAITING} or more` : String(count);
}

const WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function countWord(count: number): string {
  return WORDS[count - 2] ?? String(count);
}
