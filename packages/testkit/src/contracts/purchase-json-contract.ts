import { AUTOMATIC, type Order, type PurchaseRow } from '@handover/domain';
import { completeEmail } from '../complete-emails.ts';
import { makeLine } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import { record, sellByOrder } from './shop-actions.ts';

const WORDS = {
  amount: (amount: string, currency: string | null) => `${currency} "${amount}"`,
  downloadUrl: (linkId: string) => `https://get.example.com/d/"${linkId}"`,
};

/** Names that JSON must escape in part, or must leave as they are. */
const NAMES = [
  'Ana "A" Lima',
  'back\\slash \\" and \\u0041',
  'tab\tline\nreturn\rback\bfeed\f',
  '\u0001\u001f\u007f',
  '\u2028\u2029 é ß 日本 🎹',
  "'; select 1; --",
  '","linkId":null,"amount":"0',
];

/** The list of purchases as JSON equals the list of rows as JSON, byte for byte. */
export function purchaseJsonContract({ describe, it, expect }: StoresRunner): void {
  describe('purchases as JSON', () => {
    it('are the rows of the list, whatever they contain', async (opened) => {
      const { stores, shop, clock } = opened;
      for (const [at, name] of NAMES.entries()) {
        await sell(opened, String(at), name);
        // Also two purchases of the same moment.
        if (at % 2 === 0) clock.advance(at === 4 ? 120 : 1001);
      }
      await record(opened, { newCustomer: { name: 'By hand', email: 'hand@example.com' } });
      const rows = await collect(stores.purchases.list(shop.orgId));
      expect(rows).toHaveLength(NAMES.length + 1);
      expect(await listAsJson(opened, shop.orgId)).toBe(JSON.stringify(rows.map(present)));
    });

    it('have null where there is nothing, and say when the receipt was sent and the link was used', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      const { receipt, links } = await sell(opened, '1', 'Ana Lima', { currency: null });
      clock.advance(1500);
      await completeEmail(stores, shop.orgId, receipt?.id ?? '', clock.now(), {
        kind: 'sent',
        at: clock.now(),
        answer: '250 OK',
      });
      const [at, linkId] = [new Date(clock.now().getTime() + 490), links[0]?.id ?? ''];
      const activity = {
        id: ids.next(),
        at,
        kind: 'download-completed',
        subjectId: linkId,
        summary: '',
        ...AUTOMATIC,
      } as const;
      await stores.sessions.complete(shop.orgId, linkId, { sessionId: null, at, activity });
      const [row] = await collect(stores.purchases.list(shop.orgId));
      expect(row).toMatchObject({ currency: null, receiptSentAt: clock.now(), downloadUsedAt: at });
      expect(await listAsJson(opened, shop.orgId)).toBe(JSON.stringify([row && present(row)]));
    });

    it('mark those of test orders', async (opened) => {
      await sell(opened, '1', 'Ana Lima');
      opened.clock.advance(1000);
      await sell(opened, '2', 'Ana Lima', {}, true);
      const listed = JSON.parse(await listAsJson(opened, opened.shop.orgId));
      expect(listed).toMatchObject([
        { orderId: '2', isTest: true },
        { orderId: '1', isTest: false },
      ]);
    });

    it('do not include those of another organisation', async (opened) => {
      await sell(opened, '1', 'Ana Lima');
      for (const orgId of [opened.ids.next(), 'nobody']) expect(await listAsJson(opened, orgId)).toBe('[]');
    });
  });
}

async function sell(
  opened: OpenedShop,
  orderId: string,
  name: string,
  changes: Partial<Order> = {},
  isTest = false,
) {
  const lines = [makeLine('PADS', { amount: '0.50' })];
  const customer = { email: `${orderId}@example.com`, name };
  return (await sellByOrder(opened, { orderId, customer, lines, ...changes }, { isTest })).plan;
}

async function listAsJson({ stores }: OpenedShop, orgId: string): Promise<string> {
  return `[${(await collect(stores.purchases.listAsJson(orgId, WORDS))).join()}]`;
}

function present({ amount, linkId, downloadExpiresAt, downloadUsedAt, receiptSentAt, ...row }: PurchaseRow) {
  const { id, orgId, customerId, customerName, customerEmail, productId, productName, productSlug } = row;
  return {
    ...{ id, orgId, customerId, customerName, customerEmail, productId, productName, productSlug },
    amount: WORDS.amount(amount, row.currency),
    ...{ currency: row.currency, paymentMethod: row.paymentMethod, source: row.source, orderId: row.orderId },
    createdAt: row.createdAt,
    downloadUrl: linkId && WORDS.downloadUrl(linkId),
    ...{ downloadExpiresAt, downloadUsedAt, receiptSentAt, isTest: row.isTest },
  };
}
