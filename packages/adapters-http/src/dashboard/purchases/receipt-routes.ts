import { composeReceipt, linkExpiry, type ShownReceipt } from '@handover/domain';
import type { HttpOptions, HttpPorts, RenderedMail } from '../../http-ports.ts';
import { type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { receiptPage } from './receipt-page.ts';

type Ports = Pick<HttpPorts, 'mailings' | 'tokens'>;
type Options = Pick<HttpOptions, 'renderReceipt' | 'senderAddress'>;

/** Shows the e-mail of a purchase as the buyer got it. It holds the links, so it is for those who may copy them. */
export function receiptRoutes(ports: Ports, options: Options): readonly DashboardRoute[] {
  return [
    page('/purchases/:purchaseId/e-mail', 'admin', async (context) => {
      const found = await renderShown(ports, options, context);
      if (!found) return { kind: 'not-found' };
      const { purchaseId = '' } = context.params;
      return receiptPage({ ...found, purchaseId, senderAddress: options.senderAddress });
    }),
    page('/purchases/:purchaseId/e-mail/html', 'admin', async (context) => {
      const found = await renderShown(ports, options, context);
      return found ? { kind: 'framed-mail', html: withoutLinks(found.mail.html) } : { kind: 'not-found' };
    }),
  ];
}

async function renderShown(
  { mailings, tokens }: Ports,
  { renderReceipt }: Options,
  { orgId, params: { purchaseId = '' }, now }: DashboardRequest,
): Promise<{ readonly shown: ShownReceipt; readonly mail: RenderedMail } | null> {
  const shown = await mailings.showReceipt(orgId, purchaseId);
  if (!shown) return null;
  const { receipt, sentAt } = shown;
  const mail = renderReceipt(await composeReceipt(receipt, tokens, linkExpiry(sentAt ?? now)));
  return { shown, mail };
}

/** A person who follows a link of the mail opens the download in the name of the buyer. */
function withoutLinks(html: string): string {
  return html.replace(/\shref="[^"]*"/g, '');
}
