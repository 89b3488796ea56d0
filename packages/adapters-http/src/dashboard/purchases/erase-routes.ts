import { type EraseCustomerResult, eraseCustomer, isErased, type PurchaseRecord } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { submitButton } from '../parts/button.ts';
import { hiddenField } from '../parts/form.ts';
import { alertIcon } from '../parts/icons.ts';
import { counted } from '../parts/money.ts';
import { formPage } from '../parts/narrow-page.ts';
import { titleOf, windowTitleOf } from './purchase-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'customers' | 'ids' | 'purchases'>;

type Context = DashboardRequest<'purchaseId'>;

/** Erases the buyer of a purchase for good, after a question and a fresh sign-in. */
export function eraseRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/purchases/:purchaseId/erase', 'admin', async (context) => {
      const record = await ports.purchases.show(context.orgId, context.params.purchaseId);
      return record ? askToErase(record, context) : { kind: 'not-found' };
    }),

    action('/purchases/:purchaseId/erase', 'admin', (context, form) => erase(ports, context, form), {
      needsFreshSignIn: true,
    }),
  ];
}

async function erase(ports: Ports, context: Context, form: URLSearchParams): Promise<Answer> {
  const { orgId, by, params } = context;
  const record = await ports.purchases.show(orgId, params.purchaseId);
  if (!record) return { kind: 'not-found' };
  const { customerId } = record;
  if (form.get(SEEN) !== customerId) return askToErase(record, context, 'moved');
  const result = await eraseCustomer(ports, orgId, customerId, by);
  if (result === 'unknown-customer') return { kind: 'not-found' };
  if (result === 'order-waits' || result === 'mail-waits') return askToErase(record, context, result);
  const to = `/dashboard/purchases/${record.id}`;
  return { kind: 'redirect', to, toast: TOASTS[result] };
}

/** The buyer whom the page showed: if the address was corrected since, another one has the purchase. */
const SEEN = 'customer';

type Problem = Extract<EraseCustomerResult, 'order-waits' | 'mail-waits'> | 'moved';

const PROBLEMS: Readonly<Record<Problem, string>> = {
  'order-waits':
    'Nothing is erased yet: an order of this buyer, or one of the same request, waits in the webhook log and would be lost. Let it be delivered, or ignore its SKU, and erase then.',
  'mail-waits':
    'Nothing is erased yet: a mail to this buyer is on its way. Press again once the mail server has taken or refused it.',
  moved:
    'Nothing is erased: somebody corrected the address while this page was open. Press again only if this is the right buyer.',
};

const TOASTS = {
  erased: { title: 'The buyer is erased', sentence: 'The purchases stay for your books, revoked.' },
  'erased-before': {
    title: 'Nothing changed',
    sentence: 'The buyer had been erased before, and the shop has sent nothing since.',
  },
};

function askToErase(record: PurchaseRecord, { csrfToken }: Context, problem?: Problem): Answer {
  const { id, customerId, customerEmail } = record;
  const fields = html`${hiddenField(SEEN, customerId)}${problem && html`<p class="problem" role="alert">${alertIcon}<span>${PROBLEMS[problem]}</span></p>`}${isErased(customerEmail) ? AGAIN : explain(record)}`;
  return formPage({
    title: 'Erase buyer',
    windowTitle: `Erase buyer: ${windowTitleOf(record)}`,
    back: { href: `/dashboard/purchases/${id}`, words: titleOf(record) },
    status: problem ? 409 : 200,
    action: `/dashboard/purchases/${id}/erase`,
    csrfToken,
    fields,
    submit: submitButton({ words: 'Erase the buyer for good', danger: true }),
  });
}

function explain({ customerName, customerEmail, purchasesOfBuyer }: PurchaseRecord): Html {
  const stay =
    purchasesOfBuyer > 1 ? `The ${counted(purchasesOfBuyer, 'purchase')} stay` : 'The purchase stays';
  return html`<p>The name and the address of <strong><bdi>${customerName}</bdi></strong>, <bdi>${customerEmail}</bdi>, are erased for good. So are the stored webhooks of the buyer’s orders, the receipts, and what the logs say about the buyer.</p>
<p>${stay} for your books, with product, amount and order number. Every link stops working, and nobody can restore it.</p>
<p class="muted">Your shop, your mail server and backups keep what they have. A webhook that the shop sends later about these orders brings the address again: then erase the buyer again.</p>`;
}

const AGAIN = html`<p>This buyer was erased before. If the shop has sent webhooks about the buyer’s orders since, such as a refund, these and their addresses in the log are erased, too.</p>`;
