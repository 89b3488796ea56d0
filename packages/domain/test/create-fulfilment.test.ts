import {
  createFulfilment,
  createHmacTokens,
  type FulfilmentStore,
  type MailAnswer,
  type Order,
  type ReceiptMail,
} from '@handover/domain';
import { createInMemoryFulfilmentStore, type ShopCatalogue } from '@handover/domain/memory';
import { createManualClock, makeLine, makeOrder } from '@handover/testkit';
import { describe, expect, test } from 'vitest';

const MINUTE = 60_000;
const PADS: ShopCatalogue['products'][number] & { readonly version: object } = {
  ...{ id: 'pads', name: 'Pads', slug: 'pads', status: 'published' },
  version: { id: 'pads-1', label: '1.0', files: [{ name: 'pads.zip', size: 5, sha256: 'a'.repeat(64) }] },
};
const SHOP: ShopCatalogue = {
  ...{ id: 'lumen', name: 'Lumen Audio', email: 'hello@lumen.example' },
  products: [PADS, { id: 'keys', name: 'Keys', slug: 'keys', status: 'draft', version: null }],
};

describe('an embedded fulfilment', () => {
  test('sells an order once, however often it is received, also at once', async () => {
    const { fulfilment, sent, run } = open();
    const received = await Promise.all(Array.from({ length: 5 }, () => fulfilment.receive(order())));
    expect(new Set(received.map(({ deliveryId }) => deliveryId)).size).toBe(5);
    expect(received.flatMap(({ plan }) => plan?.purchases ?? [])).toHaveLength(1);
    await run();
    expect(sent.map(({ to, items }) => [to.email, items.length])).toEqual([['ana@example.com', 1]]);
    const { status, plan } = await fulfilment.receive(order());
    expect([status, plan?.purchases]).toEqual(['success', []]);
  });

  test('does by its job what the process died before', async () => {
    const { store, sent, run, clock, mailer } = open();
    const dying: FulfilmentStore = {
      ...store,
      loadSnapshot: async () => {
        throw new Error('The process died.');
      },
    };
    await expect(createFulfilment({ store: dying, mailer, clock }).receive(order())).rejects.toThrow('died');
    expect(await run()).toEqual({ jobs: 0, failures: [] });
    clock.advance(MINUTE);
    expect(await run()).toEqual({ jobs: 2, failures: [] });
    expect(sent).toHaveLength(1);
  });

  test('ends the job of a receipt whose store answers in the word of a former version', async () => {
    const { store, mailer, clock, fulfilment } = open();
    await fulfilment.receive(order());
    const claim = () =>
      Promise.resolve(Object.assign({ kind: 'completed' }) as { readonly kind: 'not-pending' });
    const former = createFulfilment({ store: { ...store, claim }, mailer, clock });
    const job = { kind: 'send-email', orgId: SHOP.id, emailId: 'any', emailKind: 'receipt' } as const;
    expect(await former.runJob({ ...job, startAfter: clock.now() })).toBe('done');
  });

  test('leaves an order to its job while the store is away after it was recorded', async () => {
    const { store, mailer, clock } = open();
    const away: FulfilmentStore = {
      ...store,
      commit: async () => {
        throw Object.assign(new Error('away'), { code: 'store-unavailable' });
      },
    };
    const received = await createFulfilment({ store: away, mailer, clock }).receive(order());
    expect(received).toMatchObject({ status: 'pending', plan: null });
    expect(await store.find(SHOP.id, received.deliveryId)).toMatchObject({ status: 'pending', attempts: 0 });
  });

  test('says when a receipt that was not taken goes again, and sends it then', async () => {
    const answers: MailAnswer[] = [{ kind: 'try-again', answer: '451 later' }];
    const { fulfilment, store, sent, run, clock } = open(answers);
    const { plan, deliveryId } = await fulfilment.receive(order());
    const [job] = plan?.jobs ?? [];
    if (job?.kind !== 'send-email' || job.emailKind !== 'receipt') throw new Error('No receipt is queued.');
    expect(await run()).toEqual({ jobs: 1, failures: [] });
    expect(await store.find(SHOP.id, deliveryId)).toMatchObject({ status: 'pending' });
    const again = await fulfilment.runJob({ ...job, emailKind: job.emailKind });
    expect(again).toEqual({ again: new Date(clock.now().getTime() + 5000) });
    expect(await run()).toEqual({ jobs: 0, failures: [] });
    clock.advance(5000);
    expect(await run()).toEqual({ jobs: 1, failures: [] });
    expect(sent).toHaveLength(2);
    expect(await store.find(SHOP.id, deliveryId)).toMatchObject({ status: 'success' });
  });

  test('makes an entry an error whose receipt is refused, with the words of the mail server', async () => {
    const { fulfilment, store, run } = open([{ kind: 'refused', answer: '550 no such box' }]);
    const { deliveryId } = await fulfilment.receive(order());
    await run();
    const entry = await store.find(SHOP.id, deliveryId);
    expect(entry).toMatchObject({ status: 'error', reason: expect.stringContaining('550 no such box') });
  });

  test('goes on with the other jobs where one fails, and tries that one again', async () => {
    const { fulfilment, store, clock, sent } = open();
    await fulfilment.receive(order());
    await fulfilment.receive(order({ orderId: 'other' }));
    let fails = true;
    const mailer = {
      send: async (mail: ReceiptMail): Promise<MailAnswer> => {
        if (fails) {
          fails = false;
          throw new Error('The mailer broke.');
        }
        sent.push(mail);
        return { kind: 'accepted', answer: '250' };
      },
    };
    const broken = createFulfilment({ store, mailer, clock });
    const until = new Date(clock.now().getTime() + 10 * MINUTE);
    expect(await broken.runDue({ until })).toEqual({ jobs: 2, failures: [new Error('The mailer broke.')] });
    clock.advance(MINUTE);
    expect(await broken.runDue({ until })).toEqual({ jobs: 1, failures: [] });
    expect(sent).toHaveLength(2);
  });

  test('returns the failures of its own jobs only, and all of them, whatever runs beside it', async () => {
    const { fulfilment, store, clock } = open();
    await fulfilment.receive(order());
    const other = { kind: 'send-email', orgId: SHOP.id, emailId: 'any', emailKind: 'receipt' } as const;
    const until = new Date(clock.now().getTime() + MINUTE);
    const failures: unknown[] = [];
    const besides: FulfilmentStore = {
      ...store,
      complete: async (...outcome) => {
        await broken.runJob({ ...other, startAfter: clock.now() });
        failures.push(...(await broken.runDue({ until })).failures);
        return store.complete(...outcome);
      },
    };
    const send = () => Promise.reject(new Error('The mailer broke.'));
    const broken = createFulfilment({ store: besides, mailer: { send }, clock });
    expect(await broken.runDue({ until })).toEqual({ jobs: 1, failures: [new Error('The mailer broke.')] });
    expect(failures).toEqual([]);
  });

  test.each([
    ['nothing', undefined],
    ['another word', { kind: 'sent', answer: '250 OK' }],
  ])(
    'counts a mailer that answers %s as one that failed, and says what it must answer',
    async (_, answer) => {
      const { store, clock } = open();
      let calls = 0;
      const mailer = {
        send: async () => {
          calls += 1;
          return answer as MailAnswer;
        },
      };
      const broken = createFulfilment({ store, mailer, clock });
      const { deliveryId } = await broken.receive(order());
      const failures: unknown[] = [];
      for (let minute = 0; minute < 24 * 60; minute += 5) {
        clock.advance(5 * MINUTE);
        failures.push(...(await broken.runDue({ until: new Date(clock.now().getTime() + MINUTE) })).failures);
      }
      expect(calls).toBeLessThan(60);
      expect(failures).toHaveLength(calls);
      expect(failures[0]).toMatchObject({ code: 'wrong-mailer' });
      expect(await store.find(SHOP.id, deliveryId)).toMatchObject({
        reason: expect.stringContaining('send must answer with the kind accepted, refused or try-again'),
      });
    },
  );

  test('calls a mailer that always rejects with growing pauses, says so in the log, and gives up after days', async () => {
    const { store, clock } = open();
    let calls = 0;
    const mailer = {
      send: async (): Promise<MailAnswer> => {
        calls += 1;
        throw new Error('no route to the mail server');
      },
    };
    const broken = createFulfilment({ store, mailer, clock });
    const { deliveryId } = await broken.receive(order());
    const runFor = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 5) {
        clock.advance(5 * MINUTE);
        await broken.runDue({ until: new Date(clock.now().getTime() + MINUTE) });
      }
    };
    await runFor(24 * 60);
    expect(calls).toBeLessThan(60);
    const waiting = await store.find(SHOP.id, deliveryId);
    expect(waiting).toMatchObject({
      status: 'pending',
      reason: expect.stringContaining('The mailer failed: no route to the mail server'),
    });
    await runFor(3 * 24 * 60);
    expect(await store.find(SHOP.id, deliveryId)).toMatchObject({ status: 'error' });
  });

  test('stops when its time has come', async () => {
    const { fulfilment, clock, run } = open();
    await fulfilment.receive(order());
    expect(await fulfilment.runDue({ until: clock.now() })).toEqual({ jobs: 0, failures: [] });
    expect((await run()).jobs).toBe(1);
  });

  test('begins no mail when too little is left of the claim', async () => {
    const { fulfilment, store, clock, mailer, sent } = open();
    await fulfilment.receive(order());
    const slow: FulfilmentStore = {
      ...store,
      claim: async (...asked) => {
        const claim = await store.claim(...asked);
        clock.advance(14_000);
        return claim;
      },
    };
    const until = new Date(clock.now().getTime() + MINUTE);
    await createFulfilment({ store: slow, mailer, clock }).runDue({ until });
    expect(sent).toEqual([]);
  });

  test('delivers what was held once it can be, when the order is received again', async () => {
    const { fulfilment, store, run, sent } = open();
    const wanted = order({ lines: [makeLine('PADS'), makeLine('KEYS')] });
    expect((await fulfilment.receive(wanted)).status).toBe('held');
    await run();
    const keys = { ...PADS, id: 'keys', name: 'Keys', slug: 'keys' };
    store.putShop({ ...SHOP, products: [PADS, { ...keys, version: { ...PADS.version, id: 'keys-1' } }] });
    await fulfilment.receive(wanted);
    await run();
    expect(sent.map(({ items }) => items.map(({ productName }) => productName))).toEqual([
      ['Pads'],
      ['Keys'],
    ]);
  });

  test('mails links that its tokens open', async () => {
    const tokens = createHmacTokens({ siteUrl: 'https://lumen.example', secret: 's'.repeat(32) });
    const { fulfilment, sent, run } = open([], { tokens });
    const { plan } = await fulfilment.receive(order());
    await run();
    const url = sent[0]?.items[0]?.downloadUrl ?? '';
    expect(url).toMatch(/^https:\/\/lumen\.example\/d\//);
    expect(await tokens.open(url.split('/d/')[1] ?? '')).toEqual({
      orgId: SHOP.id,
      linkId: plan?.links[0]?.id,
    });
  });

  test('asks nine methods of its store', () => {
    const { putShop: _, linkExpiresAt: _expiry, ...store } = open().store;
    expect(Object.keys(store)).toHaveLength(9);
  });
});

function open(
  answers: MailAnswer[] = [],
  options: { readonly tokens?: ReturnType<typeof createHmacTokens> } = {},
) {
  const clock = createManualClock();
  const store = createInMemoryFulfilmentStore([SHOP]);
  const sent: ReceiptMail[] = [];
  const mailer = {
    send: async (mail: ReceiptMail): Promise<MailAnswer> => {
      sent.push(mail);
      return answers.shift() ?? { kind: 'accepted', answer: '250 OK' };
    },
  };
  const fulfilment = createFulfilment({ store, mailer, clock, ...options });
  const run = () => fulfilment.runDue({ until: new Date(clock.now().getTime() + MINUTE) });
  return { store, clock, sent, mailer, fulfilment, run };
}

function order(changes: Partial<Order> = {}): Order {
  return makeOrder({ orgId: SHOP.id, connection: { id: 'main' } }, { platform: 'our-shop', ...changes });
}
