import type { SurvivorsByFile } from '../survivors.ts';

export const FULFILMENT: SurvivorsByFile = {
  'packages/domain/src/fulfilment/decide-fulfilment.ts': [
    {
      line: "...earlier.map((former) => (resend.includes(former) ? 'pending' : former.status)),",
      change: `'pending' → ""`,
      reason: 'The status of an entry asks only whether each receipt is sent, and whether one is refused.',
    },
    {
      line: "if (status === 'error' && receipts.some((receipt) => receipt.status === 'refused')) return explainRefusal();",
      change: "receipt.status === 'refused' → true",
      reason: 'An entry with receipts is an error only where one of them is refused.',
    },
    {
      line: 'return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));',
      change: 'a.id < b.id → a.id <= b.id',
      reason: 'The keys are unique, so that no two are equal.',
    },
  ],
  'packages/domain/src/fulfilment/decide-lines.ts': [
    {
      line: 'const wanted = byId.get(product.id) ?? { product, versionId, lines: [] };',
      change: '[] → ["Stryker was here"]',
      reason: 'A position that is not a number has no amount, so the sum is the same.',
    },
    {
      line: 'return [...byId.values()].sort((a, b) => (a.product.id < b.product.id ? -1 : 1));',
      change: 'a.product.id < b.product.id → a.product.id <= b.product.id',
      reason: 'The keys are unique, so that no two are equal.',
    },
    {
      line: "return describeLine(line, position, 'delivered', as.product.id, purchase?.id ?? null);",
      change: 'purchase?.id → purchase.id',
      reason: 'What is wanted has a purchase: the sale makes one for each.',
    },
    {
      line: "for (const { purchaseId } of lines) former.delete(purchaseId ?? '');",
      change: `'' → "Stryker was here!"`,
      reason: 'No purchase has such an id.',
    },
    {
      line: "(slug === '' ? undefined : products.find((product) => product.slug === slug));",
      change: "slug === '' → false",
      reason: 'No product has an empty slug.',
    },
    {
      line: "(slug === '' ? undefined : products.find((product) => product.slug === slug));",
      change: `'' → "Stryker was here!"`,
      reason: 'No product has an empty slug.',
    },
    {
      line: 'text !== undefined && isOneName(text, lines, order, known) ? [text] : [],',
      change: '[] → ["Stryker was here"]',
      reason: 'A whole that is the text of no line joins none.',
    },
    {
      line: 'if (wholes.size === 0) return order;',
      change: 'wholes.size === 0 → false',
      reason: 'Without wholes, the lines stay as they are.',
    },
    {
      line: 'if (text === undefined || !wholes.has(text)) return [line];',
      change: 'text === undefined → false',
      reason: 'What is undefined is never among the wholes.',
    },
    {
      line: 'return !isListed && first !== undefined && means([asCandidate(text)], first);',
      change: 'first !== undefined → true',
      reason: 'Lines that are grouped by a text are at least one.',
    },
    {
      line: '({ purchaseAliases = [] }) => name !== null && purchaseAliases.some((known) => isSame(known, name)),',
      change: '[] → ["Stryker was here"]',
      reason: 'A text has neither candidate nor SKU, so it is not a name.',
    },
    {
      line: 'const purchaseId = lines[at]?.purchaseId ?? null;',
      change: 'lines[at]?.purchaseId → lines[at].purchaseId',
      reason: 'Every line of the order has one in the entry.',
    },
    {
      line: 'if (purchaseId === null || name === null) continue;',
      change: 'name === null → false',
      reason: 'Nothing is ever delivered for a line that has only a title.',
    },
    {
      line: 'return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, alias]) => alias);',
      change: 'a < b → a <= b',
      reason: 'The keys are unique, so that no two are equal.',
    },
  ],
  'packages/domain/src/fulfilment/fulfil-delivery.ts': [
    {
      line: 'const plan = giveUpEntry(delivery, row?.lines ?? [], now);',
      change: 'row?.lines → row.lines',
      reason: 'An entry of the log is never deleted, so it is found again.',
    },
    {
      line: 'const plan = giveUpEntry(delivery, row?.lines ?? [], now);',
      change: '[] → ["Stryker was here"]',
      reason: 'An entry of the log is never deleted, so it is found again.',
    },
  ],
  'packages/domain/src/fulfilment/fulfil-order.ts': [
    {
      line: 'for (let tried = 0; tried < TRIES; tried += 1) {',
      change: 'tried < TRIES → tried <= TRIES',
      reason: 'One try more after 25 in vain makes no difference.',
    },
  ],
  'packages/domain/src/fulfilment/make-sale.ts': [
    {
      line: 'customer: customer || email === null ? null : makeCustomer(order, email, receipt),',
      change: 'email === null → false',
      reason: 'An order without an address whose buyer is unknown is an error before anything is sold.',
    },
  ],
  'packages/domain/src/fulfilment/preview-delivery.ts': [
    {
      line: 'const plan = decideFulfilment(order, known, stored, clock.now(), { next: () => NEVER_STORED });',
      change: '() => NEVER_STORED → () => undefined',
      reason: 'The ids of a preview come to nothing.',
    },
    {
      line: 'changes: changesAnything(plan) || now?.status !== status || outcomesOf(now.lines) !== outcomesOf(lines),',
      change: 'now?.status → now.status',
      reason: 'An entry of the log is never deleted, so it is found again.',
    },
    {
      line: "const NEVER_STORED = '00000000-0000-7000-8000-000000000000';",
      change: `'00000000-0000-7000-8000-000000000000' → ""`,
      reason: 'The ids of a preview come to nothing.',
    },
    {
      line: 'return purchases.length > 0 || resend.length > 0;',
      change: 'purchases.length > 0 → false',
      reason: 'A purchase that is made gives a line another outcome, or adds one.',
    },
    {
      line: "return lines.map(({ outcome }) => (outcome === 'already-delivered' ? 'delivered' : outcome)).join(' ');",
      change: `' ' → ""`,
      reason: 'No outcome is the end of one and the beginning of another.',
    },
  ],
  'packages/domain/src/fulfilment/record-deliveries.ts': [
    {
      line: "if (outcome === 'recorded' || proof === null) return { kind: 'recorded', deliveries };",
      change: 'proof === null → false',
      reason: 'Only a proof can be reused.',
    },
  ],
  'packages/domain/src/fulfilment/redeliver.ts': [
    {
      line: "return delivery ? { kind: 'redelivered', delivery } : { kind: 'unknown-delivery' };",
      change: "{ kind: 'unknown-delivery' } → {}",
      reason: 'An entry of the log is never deleted, so it is found again.',
    },
    {
      line: "return delivery ? { kind: 'redelivered', delivery } : { kind: 'unknown-delivery' };",
      change: `'unknown-delivery' → ""`,
      reason: 'An entry of the log is never deleted, so it is found again.',
    },
  ],
  'packages/domain/src/fulfilment/find-waiting-buyers.ts': [
    {
      line: 'const order = entry?.body ? ports.orders.read(entry) : null;',
      change: 'entry?.body → entry.body',
      reason: 'An entry of the log is never deleted, so it is found again.',
    },
  ],
  'packages/domain/src/model/release.ts': [
    {
      line: "const [kind, of = '', ...sku] = text.split(' ');",
      change: `'' → "Stryker was here!"`,
      reason: 'The text of a release that names anything has a second word.',
    },
  ],
  'packages/domain/src/fulfilment/alert-of-rejection.ts': [
    {
      line: "const entries = content.kind === 'translated' ? content.entries : [];",
      change: '[] → ["Stryker was here"]',
      reason: 'An entry that is no order has no names, and nothing else is asked of it.',
    },
  ],
};
