import type { WaitingOrders } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { formatDuration, joinWithAnd } from '../../pages/words.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { postForm } from '../parts/form.ts';
import { pauseIcon, pendingIcon } from '../parts/icons.ts';
import { counted, formatCount } from '../parts/money.ts';
import { noticePanel } from '../parts/notice.ts';
import type { LoadedProduct } from './load-product.ts';

/** The buyers who wait for the product, and the button that delivers. Null when nobody waits. */
export function waitingPanel(loaded: LoadedProduct): Html | null {
  const { waiting, role } = loaded;
  if (waiting.count === 0) return null;
  const orders = counted(waiting.count, 'order');
  if (isBeingDelivered(loaded)) {
    return noticePanel({
      tone: 'pending',
      icon: pendingIcon,
      title: `${orders} ${waiting.count === 1 ? 'is' : 'are'} being delivered`,
      sentence: 'They are delivered one after the other. New orders do not wait for them.',
      actions: role === 'member' ? [] : [seeOrders()],
    });
  }
  return noticePanel({
    tone: 'held',
    icon: pauseIcon,
    title: `${orders} ${waiting.count === 1 ? 'is' : 'are'} waiting for this product`,
    sentence: [consequence(loaded), oldest(loaded)].filter(Boolean).join(' '),
    actions: role === 'member' ? [] : forThoseWhoMay(loaded),
  });
}

/** Their release is in progress, so no action is needed. */
export function isBeingDelivered({ product, waiting }: LoadedProduct): boolean {
  return waiting.isReleasing && product.activeVersionId !== null && product.status !== 'draft';
}

function seeOrders(): Html {
  return linkButton('/dashboard/webhook-log?status=held', { words: 'See the orders', small: true });
}

function consequence({ product, versions, waiting, role }: LoadedProduct): string {
  const live = versions.find(({ id }) => id === product.activeVersionId);
  if (product.activeVersionId === null) {
    return 'No version is live yet, so there is nothing to deliver. Make one with files live first, then deliver.';
  }
  if (role === 'member') return 'An owner or admin can deliver them.';
  const version = live ? `version ${live.version}` : 'the live version';
  const verb =
    product.status === 'draft' ? 'Publishing delivers' : 'It can be delivered now. The button delivers';
  const isOneEach = waiting.names.length === waiting.named;
  const many = isOneEach ? 'mails each a receipt' : 'mails a receipt for each order';
  const receipts = waiting.count === 1 ? 'mails a receipt' : many;
  return `${verb} ${version} to ${buyers(waiting)} and ${receipts}.`;
}

function buyers({ names, named, count }: WaitingOrders): string {
  if (names.length === 0) return count === 1 ? 'its buyer' : 'their buyers';
  const others = count > named ? [counted(count - named, 'more order')] : [];
  return joinWithAnd([...names, ...others]);
}

const DAY_MS = 24 * 60 * 60 * 1000;

function oldest({ waiting: { oldestAt, count }, now }: LoadedProduct): string {
  if (oldestAt === null) return '';
  const waited = now.getTime() - oldestAt.getTime();
  const days = Math.floor(waited / DAY_MS);
  const words = days >= 2 ? `${days} days` : formatDuration(waited);
  return `${count === 1 ? 'It' : 'The oldest'} has waited ${words}.`;
}

function forThoseWhoMay({ product, waiting, csrfToken }: LoadedProduct): readonly Html[] {
  if (product.activeVersionId === null) return [seeOrders()];
  const words = `${product.status === 'draft' ? 'Publish and deliver' : 'Deliver'} ${formatCount(waiting.count)}`;
  const body = submitButton({ words, primary: true, small: true });
  return [seeOrders(), postForm({ action: `/dashboard/products/${product.id}/deliver`, csrfToken, body })];
}

/** Describes what happens to waiting buyers when another version goes live; null when nobody waits. */
export function noteOfWaiting(loaded: LoadedProduct): Html | null {
  const { waiting } = loaded;
  if (waiting.count === 0 || isBeingDelivered(loaded)) return null;
  return html` <span>Making it live delivers none of the ${counted(waiting.count, 'waiting order')} automatically: you are asked first.</span>`;
}
