import type { HttpPorts } from '../../http-ports.ts';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { formatOrderId } from '../parts/platform.ts';
import { type PlatformView, platformPage } from './platform-page.ts';
import type { SampleSent } from './sample-orders.ts';

/** Sends one order with the signed-in user as its buyer, and redirects to its entry in the log. */
export async function sendTestOrder(
  { sampleOrders }: Pick<HttpPorts, 'sampleOrders'>,
  { orgId, user }: DashboardRequest,
  view: PlatformView,
  productId: string,
): Promise<Answer> {
  const { platform } = view.state;
  const refuse = (sentence: string) => platformPage({ ...view, problems: { form: sentence } });
  const product = view.products.find(({ id }) => id === productId);
  if (!product) return refuse('That product is not published any more. Choose another.');
  const connectionId = view.connection?.id ?? null;
  const sent = await sampleOrders.send({
    orgId,
    platform,
    connectionId,
    sku: product.slug,
    email: user.email,
    name: user.name ?? user.email.slice(0, user.email.lastIndexOf('@')),
  });
  if (sent.kind !== 'arrived') return refuse(explain(sent, view.platforms.vendorOf(platform)));
  const toast = {
    title: `Test ${formatOrderId(sent.orderId)} received`,
    sentence: 'Here is its entry in the webhook log.',
  };
  const log = '/dashboard/webhook-log';
  return { kind: 'redirect', to: sent.deliveryId ? `${log}/${sent.deliveryId}` : log, toast };
}

function explain(sent: Exclude<SampleSent, { kind: 'arrived' }>, vendor: string): string {
  switch (sent.kind) {
    case 'refused':
      return `The test order was refused with ${sent.status}. Set the secret again, then send it once more.`;
    case 'not-set-up':
      return `${vendor} has no secret yet. Set it first.`;
    case 'no-sample':
      return `The package of ${vendor} brings no test order. Buy something in the shop instead.`;
  }
}
