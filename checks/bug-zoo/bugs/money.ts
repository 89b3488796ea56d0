import type { Bug } from '../bug.ts';

const DECIDE = 'packages/domain/test/decide-fulfilment.test.ts';
const DECIMAL = 'packages/domain/test/decimal.test.ts';

/** Amounts and currencies: packages/domain/src/model and where lines are priced. */
export const MONEY_BUGS: readonly Bug[] = [
  {
    name: 'adds-amounts-of-different-scale',
    rule: 'Amounts are added exactly, however many decimals each has.',
    file: 'packages/domain/src/model/currency.ts',
    find: 'units: rescale(a, scale) + rescale(b, scale), scale',
    replace: 'units: a.units + b.units, scale',
    seenBy: [DECIMAL],
  },
  {
    name: 'negative-amount-loses-its-sign',
    rule: 'A negative amount is written with its sign.',
    file: 'packages/domain/src/model/currency.ts',
    find: "const sign = units < 0n ? '-' : '';",
    replace: "const sign = '';",
    seenBy: [DECIMAL],
  },
  {
    name: 'exponent-may-fill-the-memory',
    rule: 'A number with more digits than any price has is none.',
    file: 'packages/domain/src/model/currency.ts',
    find: 'whole.length + fraction.length + Math.abs(shift) > MAX_DIGITS',
    replace: 'whole.length + fraction.length > MAX_DIGITS',
    seenBy: [DECIMAL],
  },
  {
    name: 'amount-passes-through-a-float',
    rule: 'An amount keeps every digit with which it was received.',
    file: 'packages/domain/src/fulfilment/make-sale.ts',
    find: 'amount: prices.sum(lines),',
    replace: 'amount: String(Number(prices.sum(lines))),',
    seenBy: [DECIDE],
  },
  {
    name: 'total-stands-on-every-line',
    rule: 'Where no line has an amount, the total is counted once.',
    file: 'packages/domain/src/fulfilment/make-sale.ts',
    find: 'at === 0 ? order.total : null',
    replace: 'order.total',
    seenBy: [DECIDE],
  },
  {
    name: 'default-currency-wins',
    rule: 'The currency that an order names goes before the default one.',
    file: 'packages/domain/src/fulfilment/make-sale.ts',
    find: 'named ?? defaultCurrency',
    replace: 'defaultCurrency ?? named',
    seenBy: [DECIDE],
  },
  {
    name: 'every-currency-has-cents',
    rule: 'A sale in a currency without decimals takes none.',
    file: 'packages/domain/src/model/currency.ts',
    find: 'const digits = currencyDigits(currency) ?? 2;',
    replace: 'const digits = 2;',
    seenBy: ['packages/domain/test/sales.test.ts'],
  },
  {
    name: 'card-amounts-are-always-cents',
    rule: 'Stripe counts a currency without decimals in whole units.',
    file: 'packages/platform-webhooks/payments-a/src/translate.ts',
    find: 'if (NO_DECIMALS.has(currency)) return 0;',
    replace: '',
    seenBy: ['packages/platform-webhooks/payments-a/test/minor-units.test.ts'],
  },
  {
    name: 'line-costs-one-unit',
    rule: 'A line of a Shopify order costs its unit price times its quantity.',
    file: 'packages/platform-webhooks/storefront-a/src/translate.ts',
    find: 'multiplyDecimal(price, quantity)',
    replace: 'price',
    seenBy: ['packages/platform-webhooks/storefront-a/test/translate.test.ts'],
  },
  {
    name: 'new-currency-misses-the-order-that-is-decided',
    rule: 'An order without a currency that is being decided when the default one is set gets it.',
    file: 'packages/adapters-postgres/src/stores/writes/access/organisations.ts',
    find: 'await moveRevision(trx, orgId);',
    replace: '',
    seenBy: ['packages/adapters-postgres/test/stores.db.test.ts'],
    tests: 'organisations and their currency',
  },
  {
    name: 'nothing-has-surplus-decimals',
    rule: 'An amount of nothing has no decimals to point out.',
    file: 'packages/platform-webhooks/contract/src/sanitize-entry.ts',
    find: ' || decimal.units === 0n',
    replace: '',
    seenBy: ['packages/platform-webhooks/contract/test/sanitize-entry.test.ts'],
  },
];
