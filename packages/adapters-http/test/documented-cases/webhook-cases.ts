import type { HttpOptions } from '@handover/adapters-http';
import { signedSample, signForTest } from '@handover/platform-storefront-a/testing';
import { MAX_REFUSALS } from '../../src/webhooks/throttle-refused.ts';
import { openTestShop, type TestShop } from '../open-test-shop.ts';
import { exampleRequest } from '../read-document.ts';
import { type SentEvent, signEvent } from '../send-event.ts';
import { SALE } from '../send-webhook.ts';
import { type Case, type Cases, HURRIED, type Request, stalled, UNKNOWN } from './bring-answer.ts';

type Options = Partial<HttpOptions> & { readonly fails?: boolean };

export const WEBHOOK_CASES: Cases = {
  receiveStorefrontA: {
    200: webhook((request) => request),
    400: webhook(() => signed(new TextEncoder().encode('{"id":'))),
    401: webhook((request) => ({ ...request, headers: {} })),
    404: webhook((request) => ({ ...request, url: `/webhooks/${UNKNOWN}/storefront-a` })),
    408: webhook(begin, { bodyLimits: HURRIED }),
    413: webhook(() => signed(Buffer.alloc(5 * 1024 * 1024 + 1))),
    429: throttled,
    503: webhook((request) => request, { fails: true }),
  },
  receivePaymentsA: {
    // One that is kept for nobody: its answer says the most.
    200: event({ event: { account: 'acct_1', type: 'charge.refunded' } }),
    400: event({ event: { type: undefined } }),
    401: event({ secret: 'whsec_other' }),
    408: event({}, begin, { bodyLimits: HURRIED }),
    413: event({}, (request) => ({ ...request, payload: Buffer.alloc(5 * 1024 * 1024 + 1) })),
    503: webhook((_request, opened) => signEvent(opened), { fails: true }),
  },
};

function webhook(
  change: (request: Request, testShop: TestShop) => Request,
  { fails = false, ...options }: Options = {},
): Case {
  return async (operation) => {
    const testShop = await openTestShop(
      ({ deliveries }) => ({
        deliveries: fails
          ? { ...deliveries, record: async () => Promise.reject(new Error('full')) }
          : deliveries,
      }),
      options,
    );
    const { body, headers } = signedSample('test-secret', SALE);
    const { method, url } = exampleRequest(operation, { orgId: testShop.shop.orgId });
    return testShop.app.inject({ method, url, ...change({ headers, payload: Buffer.from(body) }, testShop) });
  };
}

/** After so many forged ones that not even a genuine one is looked at. */
async function throttled(operation: Parameters<Case>[0]): ReturnType<Case> {
  const testShop = await openTestShop();
  const { method, url } = exampleRequest(operation, { orgId: testShop.shop.orgId });
  const send = (secret: string) => {
    const { body, headers } = signedSample(secret, SALE);
    return testShop.app.inject({ method, url, headers, payload: Buffer.from(body) });
  };
  for (let at = 0; at < MAX_REFUSALS; at += 1) await send('a-guess');
  return send('test-secret');
}

function event(
  sent: SentEvent,
  change: (request: Request) => Request = (request) => request,
  options: Options = {},
): Case {
  return webhook((_request, opened) => change(signEvent(opened, sent)), options);
}

/** The same request, of which only the first byte ever comes. */
function begin(request: Request): Request {
  const headers = { ...request.headers, 'content-length': '100' } as Readonly<Record<string, string>>;
  return { ...request, headers, payload: stalled() };
}

function signed(body: Uint8Array): Request {
  return { headers: signForTest('test-secret', body), payload: Buffer.from(body) };
}
