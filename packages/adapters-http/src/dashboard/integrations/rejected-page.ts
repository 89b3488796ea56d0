import type { Platforms, RejectedDelivery, TranslatedOrder } from '@handover/domain';
import { html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import { keyIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { noticePanel } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { table } from '../parts/table.ts';
import { exactTime } from '../parts/time.ts';

export interface RejectedRow {
  readonly rejected: RejectedDelivery;
  /** Read from the request, which nobody verified. */
  readonly order: TranslatedOrder | null;
}

/** The stored rejected requests: whose they seem to be, when they were received, and our answer. */
export function rejectedPage(
  platforms: Platforms,
  platform: RejectedDelivery['platform'],
  kept: readonly RejectedRow[],
): Answer {
  const title = 'Rejected deliveries';
  const vendor = platforms.vendorOf(platform);
  const back = { href: `/dashboard/settings/integrations/${platform}`, words: vendor };
  const list = table<RejectedRow>({
    label: title,
    rows: kept,
    columns: [
      {
        head: 'Order',
        cell: ({ order }) => html`<strong>${longText(order?.orderNumber ?? 'No order found')}</strong>`,
      },
      {
        head: 'Address',
        narrow: 'line',
        cell: ({ order }) => longText(order?.customer.email ?? 'No address'),
      },
      {
        head: 'Our answer',
        narrow: 'line',
        cell: ({ rejected }) => html`<span class="muted">${rejected.reason}</span>`,
      },
      { head: 'Received', cell: ({ rejected }) => exactTime(rejected.receivedAt) },
      {
        head: 'Bytes',
        narrow: 'hidden',
        number: true,
        cell: ({ rejected }) => html`${rejected.bytes.length}`,
      },
    ],
  });
  const none = emptyState({
    icon: keyIcon,
    title: 'Nothing was rejected',
    sentence: 'No delivery in the last 7 days.',
  });
  const whatToDo = noticePanel({
    tone: 'error',
    icon: keyIcon,
    title: 'Their signatures matched no secret set here',
    sentence: `Set the secret that ${vendor} signs with, then deliver those that are genuine from its page. The others go after 7 days.`,
    actions: [linkButton(back.href, { words: 'Check the secret', primary: true })],
  });
  const main = html`${pageHeader({ title, back, meta: ['Order and address are as sent: nobody verified them'] })}<div class="stack">${kept.length > 0 && whatToDo}<section class="card">${kept.length > 0 ? list : none}</section></div>`;
  return { kind: 'page', title, main };
}
