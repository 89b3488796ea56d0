import { type DeliveryListRow, type DeliveryStatus, type LineOutcome, OUR_PLATFORMS } from '@handover/domain';
import { expect, it } from 'vitest';
import { describeSent } from '../src/cli/describe-sent.ts';
import { describeServer, guessServer, type ServerFacts } from '../src/serve/server-facts.ts';
import { readSettings, type Settings } from '../src/settings/settings.ts';

const ORDER = {
  platform: 'checkout-a',
  orgId: 'ORG',
  orderId: '77',
  sku: 'pads',
  email: 'ana@example.com',
  product: 'halo-pads',
} as const;

function describeEntry(
  status: DeliveryStatus | null,
  outcome: LineOutcome | null,
  reason: string | null,
  facts: (settings: Settings) => ServerFacts = describeServer,
  environment: Readonly<Record<string, string>> = {},
  order: Parameters<typeof describeSent>[2] = ORDER,
) {
  const read = readSettings(environment);
  if ('problems' in read) throw new Error('The settings of a bare start are wrong.');
  const line = {
    position: 0,
    sku: 'pads',
    candidate: 'sku',
    reason,
    productId: null,
    purchaseId: null,
  } as const;
  const entry: DeliveryListRow | null = status && {
    id: 'ENTRY',
    orgId: 'ORG',
    platform: 'checkout-a',
    connectionId: 'main',
    orderId: '77',
    orderNumber: '77',
    normalizedEmail: 'ana@example.com',
    receivedAt: new Date(0),
    status,
    reason,
    note: null,
    lines: outcome ? [{ ...line, outcome }] : [],
  };
  const sent = { status: 200, answer: { received: true }, entry };
  const installation = { settings: read.settings, server: facts(read.settings) };
  return describeSent(OUR_PLATFORMS, installation, order, sent, null).join('\n');
}

it.each<[DeliveryStatus | null, LineOutcome | null, string | null, string]>([
  [
    'success',
    'delivered',
    null,
    'It counts as a sale, like an order of a shop. The dashboard sends one that does not: Settings, Integrations, Send test order.\nNext: open the receipt with the download link, in http://localhost:3000/dev/mail',
  ],
  ['pending', 'delivered', 'The mail server is busy.', 'Next: nothing. The receipt is sent automatically'],
  ['pending', null, null, 'If it stays pending, check that a worker runs (ROLE).'],
  [
    'held',
    'held',
    'A draft.',
    'The webhook log says: held. A draft.\nNext: fix this, then deliver it again, on the page of its entry:\n  http://localhost:3000/dashboard/webhook-log/ENTRY',
  ],
  ['error', 'unmatched', 'No product.', 'handover -- sku map --org ORG --sku pads --product halo-pads'],
  [
    'error',
    'delivered',
    'Refused.',
    'Next: fix this, then deliver it again, on the page of its entry:\n  http://localhost:3000/dashboard/webhook-log/ENTRY',
  ],
  ['ignored', null, 'Not paid yet.', 'handover -- simulate checkout-a --org ORG --sku pads --order 77'],
  ['ignored', 'not-ours', null, 'Next: nothing. This SKU is ignored'],
  [null, null, null, 'The webhook log says: nothing; there is no entry.'],
])('an order that is %s (%s) is told with what to do next', (status, outcome, reason, expected) => {
  const told = describeEntry(status, outcome, reason);
  expect(told).toContain('Order 77 for pads went to http://localhost:3000 as FastSpring would send it.');
  expect(told).toContain(expected);
});

it('a command that no server tells where its mails go names neither files nor pages of its own', () => {
  const told = describeEntry('success', 'delivered', null, guessServer);
  expect(told).toContain('the download link, where the server sends mails to ana@example.com');
  expect(told).not.toMatch(/dev\/mail|data/);
});

it('a command with an SMTP_URL takes it for that of the server', () => {
  const environment = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'orders@example.com' };
  const told = describeEntry('success', 'delivered', null, guessServer, environment);
  expect(told).toContain('the download link, in ana@example.com’s mailbox');
});

it('an unknown SKU of an organisation without products is told with how to add one', () => {
  const order = { ...ORDER, sku: 'Halo Pads', product: null };
  const told = describeEntry('error', 'unmatched', 'No product.', describeServer, {}, order);
  expect(told).toContain(`handover -- product create --org ORG --name 'Halo Pads'`);
});

it('a SKU with a space is quoted for the shell', () => {
  const order = { ...ORDER, sku: 'Halo Pads' };
  const told = describeEntry('error', 'unmatched', 'No product.', describeServer, {}, order);
  expect(told).toContain(`sku map --org ORG --sku 'Halo Pads' --product halo-pads`);
});
