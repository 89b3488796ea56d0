import {
  ALL_PURCHASES,
  type FoundPurchase,
  type InvalidInput,
  type RecordSaleResult,
  recordSale,
  type SaleForm,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { everyRow } from '../../streaming/every-row.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { explainProblems, readTexts } from '../parts/form.ts';
import { type NotLive, salePage, type TypedSale } from './sale-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'customers' | 'ids' | 'organisations' | 'products' | 'purchases'>;

const PRODUCTS_TO_CHOOSE_FROM = 500;
const VERSIONS_TO_LOOK_AT = 50;

/** Records a sale by hand, with the use case of `POST /api/purchases`. */
export function saleRoutes(ports: Ports): readonly DashboardRoute[] {
  const show = async (
    context: DashboardRequest,
    typed: TypedSale,
    problems: Readonly<Record<string, string>>,
    { notLive = null, earlier = null }: Partial<Pick<Asked, 'notLive' | 'earlier'>> = {},
  ) => {
    const all = { text: '', status: null, before: null, limit: PRODUCTS_TO_CHOOSE_FROM };
    const products = await ports.products.search(context.orgId, all);
    return salePage({ typed, problems, products, csrfToken: context.csrfToken, notLive, earlier });
  };

  return [
    page('/purchases/record', 'admin', async (context) => {
      const productId = context.query.get('product') ?? '';
      const organisation = await ports.organisations.find(context.orgId);
      const currency = organisation?.defaultCurrency ?? BLANK.currency;
      return show(context, { ...BLANK, currency, key: ports.ids.next(), productId }, {});
    }),

    action('/purchases/record', 'admin', async (context, posted): Promise<Answer> => {
      const typed = readTyped(posted);
      const product = await ports.products.find(context.orgId, typed.productId);
      if (product?.activeVersionId === null && typed.sureOf !== product.id) {
        const versions = await ports.products.listVersions(context.orgId, product.id, VERSIONS_TO_LOOK_AT);
        const ready = versions.find(({ files }) => files.length > 0) ?? null;
        return show(context, typed, {}, { notLive: { product, ready } });
      }
      const earlier = await findEarlier(ports, context, typed);
      if (earlier && earlier.id !== typed.besides) return show(context, typed, {}, { earlier });
      const { result, known } = await record(ports, context, typed);
      if (result.kind === 'recorded') {
        const hasFiles = product !== null && product.activeVersionId !== null;
        return answerRecorded(typed, known, result.purchaseId, hasFiles);
      }
      // The key belongs to another sale, so this form is a new one.
      const key = result.kind === 'key-reused' ? ports.ids.next() : typed.key;
      return show(context, { ...typed, key }, explain(result, typed));
    }),
  ];
}

interface Asked {
  readonly notLive: NotLive | null;
  readonly earlier: FoundPurchase | null;
}

/** The newest purchase of the product by the buyer that is not revoked, but for what this form itself recorded. */
async function findEarlier(
  { customers, purchases }: Ports,
  { orgId }: DashboardRequest,
  { email, productId, key }: TypedSale,
): Promise<FoundPurchase | null> {
  const customer = await customers.findByEmail(orgId, email);
  if (!customer || productId === '') return null;
  const ofBuyer = { ...ALL_PURCHASES, productId, customerId: customer.id, leavesOutTests: true };
  for await (const found of everyRow((page) => purchases.search(orgId, { ...ofBuyer, ...page }))) {
    if (found.revokedAt !== null) continue;
    // Read last: the same form, sent twice at once, may just have recorded it.
    if (found.id !== (await purchases.findRecorded(orgId, key))) return found;
  }
  return null;
}

interface Recorded {
  readonly result: RecordSaleResult;
  /** The name on record, if the buyer exists. */
  readonly known: string | null;
}

/**
 * The name on record is kept. A repeated form takes the same path: first as for a new buyer, if it has a
 * name, so that the same key finds the same sale.
 */
async function record(ports: Ports, { orgId, by }: DashboardRequest, typed: TypedSale): Promise<Recorded> {
  const origin = { orgId, source: 'dashboard', idempotencyKey: typed.key, by } as const;
  const newCustomer = { name: typed.name, email: typed.email };
  const form: SaleForm = { ...typed, amount: readDecimalComma(typed.amount), customerId: 'new', newCustomer };
  const isNamed = typed.name.trim() !== '';
  const first = isNamed ? await recordSale(ports, origin, form) : null;
  if (first && first.kind !== 'customer-exists' && first.kind !== 'key-reused') {
    return { result: first, known: null };
  }
  const customer = await ports.customers.findByEmail(orgId, typed.email);
  if (!customer) return { result: first ?? (await recordSale(ports, origin, form)), known: null };
  const result = await recordSale(ports, origin, { ...form, customerId: customer.id, newCustomer: null });
  return { result, known: customer.name };
}

function answerRecorded(
  { email, name, sendEmail }: TypedSale,
  known: string | null,
  purchaseId: string,
  hasFiles: boolean,
): Answer {
  const mailed = sendEmail
    ? `The receipt is on its way to ${email.trim()}.`
    : 'No mail is sent: copy the link.';
  const whose = known === null ? `${name.trim()} is a new customer.` : `${known} was on record already.`;
  // Nobody got anything yet. The sale stays on record, and its link does not work.
  const undo = {
    undo: { action: `/dashboard/purchases/${purchaseId}/revoke`, fields: { undo: 'sale' } },
  };
  const toast = {
    title: 'The sale is recorded',
    sentence: `${whose} ${mailed}${hasFiles ? '' : ' Undo revokes it.'}`,
    ...(!hasFiles && undo),
  };
  return { kind: 'redirect', to: `/dashboard/purchases/${purchaseId}`, toast };
}

/**
 * Many people write `49,00`, or `1.234,50`. With both marks, the last one is the decimal point. A single comma counts as one:
 * `1,250` EUR has too many digits and is rejected.
 */
export function readDecimalComma(text: string): string {
  const typed = text.trim();
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(typed)) return typed.replaceAll('.', '').replace(',', '.');
  if (/^\d{1,3}(,\d{3})+\.\d+$/.test(typed)) return typed.replaceAll(',', '');
  return typed.replace(/^(\d+),(\d+)$/, '$1.$2');
}

const BLANK: Omit<TypedSale, 'key' | 'productId'> = {
  email: '',
  name: '',
  amount: '',
  currency: 'EUR',
  paymentMethod: '',
  orderNumber: '',
  sendEmail: true,
  sureOf: '',
  besides: '',
};

const TEXTS = [
  'key',
  'email',
  'name',
  'productId',
  'amount',
  'currency',
  'paymentMethod',
  'orderNumber',
  'sure',
  'besides',
] as const;

function readTyped(posted: URLSearchParams): TypedSale {
  const { key, sure: sureOf, ...texts } = readTexts(posted, ...TEXTS);
  return { ...texts, key: key.slice(0, 64), sureOf, sendEmail: posted.get('sendEmail') === 'yes' };
}

const FIELDS: Readonly<Record<string, string>> = { 'newCustomer.name': 'name', 'newCustomer.email': 'email' };

const CHOOSE_PRODUCT = 'Choose a product.';

function explainAll(problems: readonly InvalidInput[], { name, productId }: TypedSale) {
  const { name: noName, ...others } = explainProblems(
    problems.map((one) => ({ ...one, field: FIELDS[one.field] ?? one.field })),
  );
  // While the address is unknown, so is whether its name is on record.
  const isNameWrong = noName !== undefined && (name.trim() !== '' || others.email === undefined);
  return {
    ...others,
    ...(isNameWrong && { name: noName }),
    ...(productId === '' && { productId: CHOOSE_PRODUCT }),
  };
}

/** Error messages by field. */
function explain(
  result: Exclude<RecordSaleResult, { kind: 'recorded' }>,
  typed: TypedSale,
): Readonly<Record<string, string>> {
  switch (result.kind) {
    case 'invalid':
      return explainAll(result.problems, typed);
    case 'unknown-product':
      return {
        productId:
          typed.productId === '' ? CHOOSE_PRODUCT : 'There is no such product any more. Choose another.',
      };
    case 'unknown-customer':
    case 'customer-exists':
      return { email: 'This customer was changed at the same moment. Please press once more.' };
    case 'key-reused':
      return { form: 'A sale was recorded from this page already. Press once more to record this one too.' };
  }
}
