import {
  countItems,
  listCandidates,
  type PlatformWebhook,
  parseJsonExactly,
  readPayload,
  type SampleSale,
  signHmac,
  type TranslatedEntry,
  type Unreadable,
  verifyHmac,
} from '@handover/platform-contract';
import { Type } from 'typebox';

const SIGNATURE_HEADERS = ['x-gumtree-signature'];

/** A marketplace that Handover does not know. Each delivery is one order as JSON, with an HMAC in hex over its bytes. */
export const gumtree: PlatformWebhook = {
  label: 'gumtree',
  name: 'Gumtree Market',
  answers: 'after-fulfilment',
  keptHeaders: [],
  credential: { kind: 'signature', headers: SIGNATURE_HEADERS },
  verify: (inbound, connections) =>
    verifyHmac(inbound, connections, { headers: SIGNATURE_HEADERS, encodings: ['hex'] }),
  parse: parseJsonExactly,
  translate,
  sample: { sign: signSample, announcesUnpaid: false },
};

// Numbers are read as texts, so that every digit is kept. A member of another type counts as missing.
const OrderSchema = Type.Object({
  order: Type.String(),
  state: Type.String(),
  currency: Type.String(),
  total: Type.String(),
  buyer: Type.Object({ email: Type.String(), name: Type.String() }),
  items: Type.Array(
    Type.Object({ sku: Type.String(), title: Type.String(), count: Type.String(), price: Type.String() }),
  ),
});

function translate(payload: unknown): readonly TranslatedEntry[] | Unreadable {
  const read = readPayload(OrderSchema, payload);
  if (!read) return { kind: 'unreadable', problem: 'The body is not a JSON object.' };
  const { order: orderId, state, currency, total, buyer, items = [] } = read;
  if (state !== 'paid')
    return [{ kind: 'ignored', orderId: orderId ?? null, reason: 'The order is not paid.' }];
  if (orderId === undefined) return [{ kind: 'error', orderId: null, reason: 'The order has no id.' }];
  const notes: string[] = [];
  const lines = items.map(({ sku, title, count, price }, position) => ({
    candidates: listCandidates({ skus: [sku], vendorIds: [] }),
    quantity: countItems(count, `Line ${position + 1}`, notes),
    amount: price ?? null,
    title: title ?? null,
  }));
  const customer = { email: buyer?.email ?? null, name: buyer?.name ?? null };
  const order = { orderId, orderNumber: orderId, customer, currency: currency ?? null, total: total ?? null };
  return [{ kind: 'order', order: { ...order, lines, test: false, notes } }];
}

/** The headers of a genuine delivery of this body. */
export function signForTest(secret: string, body: Uint8Array): Readonly<Record<string, string>> {
  return { 'x-gumtree-signature': signHmac(secret, body, 'hex') };
}

function signSample(secret: string, { orderId, email, sku }: SampleSale) {
  const items = [{ sku, title: 'Pads', count: 1, price: '49.00' }];
  const buyer = { email, name: 'Ana Lima' };
  const order = { order: orderId, state: 'paid', currency: 'EUR', total: '49.00', buyer, items };
  const body = new TextEncoder().encode(JSON.stringify(order));
  return { body, headers: { 'content-type': 'application/json', ...signForTest(secret, body) }, query: {} };
}
