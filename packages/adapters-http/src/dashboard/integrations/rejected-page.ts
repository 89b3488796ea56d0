import type { RejectedDelivery } from '@handover/domain';
import { html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { emptyState } from '../parts/empty-state.ts';
import { keyIcon } from '../parts/icons.ts';
import { pageHeader } from '../parts/page-header.ts';
import { vendorOf } from '../parts/platform.ts';
import { table } from '../parts/table.ts';
import { exactTime } from '../parts/time.ts';

/** The stored rejected requests: when they were received, and our answer. */
export function rejectedPage(
  platform: RejectedDelivery['platform'],
  kept: readonly RejectedDelivery[],
): Answer {
  const title = 'Rejected deliveries';
  const back = { href: `/dashboard/settings/integrations/${platform}`, words: vendorOf(platform) };
  const list = table({
    label: title,
    rows: kept,
    columns: [
      { head: 'Received', cell: ({ receivedAt }) => exactTime(receivedAt) },
      { head: 'Our answer', cell: ({ reason }) => html`${reason}` },
      { head: 'Bytes', number: true, cell: ({ bytes }) => html`${bytes.length}` },
    ],
  });
  const none = emptyState({
    icon: keyIcon,
    title: 'Nothing was rejected',
    sentence: 'No delivery in the last 7 days.',
  });
  const main = html`${pageHeader({ title, back })}<section class="card">${kept.length > 0 ? list : none}</section>`;
  return { kind: 'page', title, main };
}
