import type { SkuMapping } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { submitButton } from '../parts/button.ts';
import { fieldsOf, hiddenField, postForm, selectField, statusOf, textField } from '../parts/form.ts';
import { pauseIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { counted, formatCount } from '../parts/money.ts';
import { noticePanel } from '../parts/notice.ts';
import { table } from '../parts/table.ts';
import { type LoadedProduct, SHOWN_SKUS } from './load-product.ts';
import { productFrame } from './product-frame.ts';

/** The typed values. */
export interface SkuForm {
  readonly sku: string;
  readonly platform: string;
}

export interface SkuQuestion {
  readonly form: SkuForm;
  /** A sentence per field. */
  readonly problems: Partial<Readonly<Record<keyof SkuForm, string>>>;
  /**
   * How many entries of the log wait for a mapping of the SKU. Shown before the SKU is mapped; null: not
   * counted.
   */
  readonly waiting: number | null;
}

/** The SKUs that deliver the product, besides its slug. */
export function skuPage(loaded: LoadedProduct, question: SkuQuestion): Answer {
  const main = html`${productFrame(loaded, 'skus')}<div class="stack">${skuList(loaded)}${
    loaded.role === 'member' ? '' : addForm(loaded, question)
  }</div>`;
  return {
    kind: 'page',
    status: statusOf(question.problems),
    title: `${loaded.product.name}: SKUs`,
    main,
  };
}

type Row = SkuMapping | 'slug';

function skuList(loaded: LoadedProduct): Html {
  const { product, skus, role, platforms } = loaded;
  const rows: readonly Row[] = ['slug', ...skus];
  return html`<section class="card"><header><h2>Order lines that deliver it</h2></header>${table<Row>({
    label: 'SKUs',
    rows,
    columns: [
      {
        head: 'SKU',
        cell: (row) => html`<span class="mono">${longText(row === 'slug' ? product.slug : row.sku)}</span>`,
      },
      {
        head: 'Platform',
        cell: (row) =>
          row === 'slug' || row.platform === null
            ? 'All platforms'
            : html`${platforms.vendorOf(row.platform)}`,
      },
      {
        head: 'Matches',
        narrow: 'corner',
        cell: (row) => html`<span class="muted">${row === 'slug' ? 'The slug' : 'A mapping'}</span>`,
      },
      ...(role === 'member'
        ? []
        : [
            {
              head: 'Actions',
              number: true,
              cell: (row: Row) => (row === 'slug' ? '' : removeForm(row, loaded)),
            },
          ]),
    ],
  })}${
    loaded.hasMoreSkus &&
    html`<section><p class="muted small">The first ${SHOWN_SKUS} are listed here. <code>handover sku list</code> has all of them.</p></section>`
  }</section>`;
}

function removeForm({ sku, platform }: SkuMapping, { product, csrfToken }: LoadedProduct): Html {
  const words = html`Remove<span class="visually-hidden"> ${sku}</span>`;
  const body = html`${hiddenField('sku', sku)}${hiddenField('platform', platform ?? '')}${submitButton({ words, small: true })}`;
  return postForm({ action: `/dashboard/products/${product.id}/skus/remove`, csrfToken, body });
}

function addForm(
  { product, csrfToken, platforms }: LoadedProduct,
  { form, problems, waiting }: SkuQuestion,
): Html {
  const action = `/dashboard/products/${product.id}/skus`;
  const field = fieldsOf(form, problems);
  const help = 'As on the order line, or the platform’s product id. Upper and lower case are the same.';
  const options = [
    { value: '', words: 'All platforms' },
    ...platforms.list().map((platform) => ({ value: platform, words: platforms.vendorOf(platform) })),
  ];
  const fields = html`${textField({ ...field('sku', 'SKU'), help, mono: true })}
${selectField({ ...field('platform', 'Platform'), options, help: 'A product id needs its platform.' })}`;
  const button =
    waiting === null
      ? submitButton({ words: 'Add SKU' })
      : submitButton({ words: `Add SKU and deliver ${formatCount(waiting)}` });
  const asked = waiting === null ? '' : html`${consequence(waiting)}${hiddenField('sure', 'yes')}`;
  const body = html`${fields}${asked}<div class="form-actions">${button}</div>`;
  return html`<section class="card narrow"><header><h2>Add a SKU</h2></header><section>${postForm({ action, csrfToken, body })}</section></section>`;
}

function consequence(waiting: number): Html {
  const orders = counted(waiting, 'order');
  return noticePanel({
    tone: 'held',
    icon: pauseIcon,
    title: `${orders} ${waiting === 1 ? 'is' : 'are'} waiting for this SKU`,
    sentence: `Adding it processes ${waiting === 1 ? 'it' : 'them'} again: the product is delivered and receipts are mailed, or held if it cannot be delivered yet.`,
  });
}
