import type { FoundPurchase, Product, ProductListRow, VersionWithFiles } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import {
  fieldsOf,
  hiddenField,
  hiddenFields,
  postForm,
  selectField,
  statusOf,
  textField,
} from '../parts/form.ts';
import { alertIcon, purchaseIcon } from '../parts/icons.ts';
import { counted, formatMoney } from '../parts/money.ts';
import { noticePanel } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { longDay } from '../parts/time.ts';

/** The typed values. */
export interface TypedSale {
  /** The idempotency key: a double submit records one sale. */
  readonly key: string;
  readonly email: string;
  readonly name: string;
  readonly productId: string;
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethod: string;
  readonly orderNumber: string;
  readonly sendEmail: boolean;
  /** The id of the product without a live version whose sale was confirmed. */
  readonly sureOf: string;
  /** The id of the buyer's earlier purchase of the product, once it was shown: this one is meant as another. */
  readonly besides: string;
}

interface SaleState {
  readonly typed: TypedSale;
  /** A sentence per field. */
  readonly problems: Readonly<Record<string, string>>;
  readonly products: readonly ProductListRow[];
  readonly csrfToken: string;
  /** The chosen product has nothing to download yet: the form says what happens, and asks once more. */
  readonly notLive: NotLive | null;
  /** What the buyer has of the product already: the form shows it, and asks once more. */
  readonly earlier: FoundPurchase | null;
}

/** A product without a live version. */
export interface NotLive {
  readonly product: Product;
  /** The newest version with files; null: none has any. */
  readonly ready: VersionWithFiles | null;
}

export function salePage(state: SaleState): Answer {
  const main = html`${pageHeader({
    title: 'Record a sale',
    back: { href: '/dashboard/purchases', words: 'Purchases' },
    meta: ['For sales made elsewhere. The buyer gets a download link, as for any order'],
  })}<section class="card narrow">${state.products.length === 0 ? nothingToSell() : html`<section>${form(state)}</section>`}</section>`;
  return { kind: 'page', status: statusOf(state.problems), title: 'Record a sale', main };
}

function form({ typed, problems, products, csrfToken, notLive, earlier }: SaleState): Html {
  const field = fieldsOf(typed, problems);
  const options = products.map(({ product, activeVersion }) => ({
    value: product.id,
    words: activeVersion ? product.name : `${product.name} (no live version)`,
  }));
  // The first of several would be sold by mistake.
  if (options.length > 1) options.unshift({ value: '', words: 'Choose a product' });
  const body = html`${hiddenField('key', typed.key)}${problems.form ? html`<p class="problem" role="alert">${alertIcon}<span>${problems.form}</span></p>` : ''}
${textField({ ...field('email', 'Buyer’s e-mail address'), type: 'email', required: true, help: 'Returning buyers are recognised.' })}
${textField({ ...field('name', 'Buyer’s name'), help: 'Needed for a new buyer only; the name on record stays.' })}
${selectField({ ...field('productId', 'Product'), options })}
<div class="money-fields">${textField({ ...field('amount', 'Amount'), required: true, help: 'Such as 49.00 or 49,00' })}
${textField({ ...field('currency', 'Currency'), required: true, mono: true, help: 'Such as EUR' })}</div>
${textField({ ...field('paymentMethod', 'Payment method'), required: true, help: 'In your own words, such as bank transfer.' })}
${textField({ ...field('orderNumber', 'Invoice or order number'), help: 'If you gave it one, such as R-2026-117. The receipt names it, and search finds it.' })}
<label class="check"><input type="checkbox" name="sendEmail" value="yes" ${typed.sendEmail ? 'checked' : ''}><span>Mail the buyer a receipt with the link</span></label>
${hiddenFields([
  ['sure', notLive?.product.id ?? typed.sureOf],
  ['besides', earlier?.id ?? typed.besides],
])}${notLive && askWithoutFiles(notLive)}${earlier && askAgain(earlier)}<div class="form-actions">${submitButton({ words: chooseWords(notLive, earlier), primary: true })}${linkButton('/dashboard/purchases', { words: 'Cancel' })}</div>`;
  return postForm({ action: '/dashboard/purchases/record', csrfToken, body });
}

function chooseWords(notLive: NotLive | null, earlier: FoundPurchase | null): string {
  if (earlier) return 'Record another one';
  return notLive ? 'Record it without files' : 'Record the sale';
}

/** A sale that is recorded twice by mistake adds up twice. */
function askAgain({
  id,
  productName,
  amount,
  currency,
  createdAt,
  orderNumber,
  orderId,
}: FoundPurchase): Html {
  const order = orderNumber ?? orderId;
  return noticePanel({
    tone: 'held',
    icon: alertIcon,
    title: `This buyer has ${productName} already`,
    sentence: `Bought on ${longDay(createdAt)} for ${formatMoney(amount, currency)}${order === null ? '' : `, order ${order}`}. A link can be sent again from there. Record another sale only if it was paid twice.`,
    // In another tab: this one holds what was typed.
    actions: [
      linkButton(`/dashboard/purchases/${id}`, {
        words: 'Open that purchase in a new tab',
        small: true,
        isInNewTab: true,
      }),
    ],
  });
}

function askWithoutFiles({ product, ready }: NotLive): Html {
  if (ready === null) {
    return noticePanel({
      tone: 'held',
      icon: alertIcon,
      title: `${product.name} has no files yet`,
      sentence:
        'The buyer gets a link that says the files are not ready. It delivers them once you make a version live. To undo the sale, revoke it on its page.',
    });
  }
  return noticePanel({
    tone: 'held',
    icon: alertIcon,
    title: `Version ${ready.version} of ${product.name} is not live yet`,
    sentence: `It has ${counted(ready.files.length, 'file')}, but the buyer’s link says they are not ready until you make it live. Do that first, or record the sale as it is.`,
    // In another tab: this one holds what was typed.
    actions: [
      linkButton(`/dashboard/products/${product.id}`, {
        words: 'Open the product in a new tab',
        small: true,
        isInNewTab: true,
      }),
    ],
  });
}

function nothingToSell(): Html {
  return emptyState({
    icon: purchaseIcon,
    title: 'No products yet',
    sentence: 'Add a product first. Its files can follow later.',
    actions: [linkButton('/dashboard/products/new', { words: 'Add a product', primary: true })],
  });
}
