import {
  findSigner,
  isSameSecret,
  type PlatformWebhook,
  parseJsonExactly,
  readSignature,
} from '../src/index.ts';

/** The smallest platform there can be: the secret itself is its signature, and its entries are its payload. */
export const fakePlatform: PlatformWebhook = {
  label: 'storefront-b',
  answers: 'after-fulfilment',
  keptHeaders: ['x-topic'],
  credential: { kind: 'signature', headers: ['x-secret'] },
  verify(inbound, connections) {
    const signature = readSignature(inbound.headers, ['x-secret']);
    if (typeof signature !== 'string') return signature;
    return findSigner(connections, (secret) => isSameSecret(secret, signature));
  },
  parse: parseJsonExactly,
  translate: () => [],
};

export const CONNECTIONS = [{ id: 'main', secrets: ['open sesame'] }];

export const INBOUND = {
  platform: 'storefront-b',
  body: new TextEncoder().encode('{"id":1}'),
  headers: { 'x-secret': 'open sesame', 'x-topic': 'sold' },
  query: {},
  receivedAt: new Date('2026-10-09T10:00:00Z'),
} as const;

export const ORDER = {
  orderId: '1',
  orderNumber: '#1',
  customer: { email: 'a@example.com', name: 'A' },
  currency: 'EUR',
  total: '49.00',
  lines: [{ candidates: [{ kind: 'sku', value: 'PAD-1' }], quantity: 1, amount: '49.00', title: 'Pads' }],
  test: false,
  notes: [],
} as const;
