import { composeReceipt, linkExpiry, readEmail, type ShownReceipt } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { HttpOptions, HttpPorts, RenderedMail } from '../../http-ports.ts';
import { type Answer, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { type Fact, factsCard } from '../parts/facts.ts';
import { pageHeader } from '../parts/page-header.ts';
import { exactTime, longDay } from '../parts/time.ts';

type Ports = Pick<HttpPorts, 'mailings' | 'tokens'>;
type Options = Pick<HttpOptions, 'renderReceipt' | 'senderAddress'>;

/** Shows the e-mail of a purchase as the buyer got it. It holds the links, so it is for those who may copy them. */
export function receiptRoutes(ports: Ports, options: Options): readonly DashboardRoute[] {
  return [
    page('/purchases/:purchaseId/e-mail', 'admin', async (context) => {
      const found = await renderShown(ports, options, context);
      if (!found) return { kind: 'not-found' };
      const { purchaseId } = context.params;
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
  { orgId, params: { purchaseId }, now }: DashboardRequest<'purchaseId'>,
): Promise<{ readonly shown: ShownReceipt; readonly mail: RenderedMail } | null> {
  const shown = await mailings.showReceipt(orgId, purchaseId);
  if (!shown) return null;
  const { receipt, sentAt, worksUntil } = shown;
  const mail = renderReceipt(await composeReceipt(receipt, tokens, worksUntil ?? linkExpiry(sentAt ?? now)));
  return { shown, mail };
}

/** A person who follows a link of the mail opens the download in the name of the buyer. */
function withoutLinks(html: string): string {
  return html.replace(/\shref="[^"]*"/g, '');
}

/** The e-mail with the buyer's links: its head, its HTML in a frame, and its plain text beside that. */
export function receiptPage({
  purchaseId,
  shown,
  mail,
  senderAddress,
}: {
  readonly purchaseId: string;
  readonly shown: ShownReceipt;
  readonly mail: RenderedMail;
  readonly senderAddress: string;
}): Answer {
  const { organisation, customer } = shown.receipt;
  const base = `/dashboard/purchases/${purchaseId}`;
  const replyTo = readEmail(organisation.email);
  const facts = [
    fact('Subject', mail.subject),
    fact('From', addressed(organisation.name, senderAddress)),
    fact('To', addressed(customer.name, customer.email)),
    replyTo === null ? null : fact('Reply-To', html`<bdi>${replyTo}</bdi>`),
    fact('Sent', sentWords(shown)),
  ];
  const note = html`<section class="muted small">${explainSource(shown)} Links cannot be opened here: that would count as the buyer’s.</section>`;
  const main = html`${pageHeader({
    title: mail.subject,
    back: { href: base, words: `Purchase of ${customer.name}` },
  })}<div class="with-facts"><div class="mail-parts">
<section class="card"><header><h2>As the buyer sees it</h2></header><iframe class="mail-frame" title="The e-mail as the buyer sees it" src="${base}/e-mail/html" sandbox></iframe></section>
<section class="card"><header><h2>Plain text</h2></header><section><pre class="mail-text" tabindex="0" aria-label="The e-mail as plain text">${mail.text}</pre></section></section>
</div>${factsCard(facts, note)}</div>`;
  return {
    kind: 'page',
    title: mail.subject,
    windowTitle: `${mail.subject} · ${shown.receipt.orderNumber ?? longDay(shown.receipt.orderedAt)} · E-mail`,
    main,
    frames: 'own',
  };
}

function fact(term: string, description: Html | string): Fact {
  return { term, description, look: 'address' };
}

function addressed(name: string, address: string): Html {
  return html`<bdi>${name}</bdi> &lt;<bdi>${address}</bdi>&gt;`;
}

function explainSource({ sentAt, worksUntil }: ShownReceipt): string {
  if (worksUntil) return 'As it was sent, with the names, files, amounts and times of that moment.';
  if (sentAt)
    return 'Put together again from what is stored. A name or version that was changed since then is shown as it is now.';
  return 'As it would be sent now.';
}

function sentWords({ status, sentAt }: ShownReceipt): Html | string {
  if (sentAt) return exactTime(sentAt);
  return status === 'refused' ? 'Never: the mail server refused it' : 'Not yet';
}
