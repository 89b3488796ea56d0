import type { HttpOptions } from '@handover/adapters-http';
import { NO_METRICS } from '../src/metrics-routes.ts';
import { addUser } from './add-user.ts';
import { type Case, type Cases, faultOf, plain } from './documented-cases/bring-answer.ts';
import { BUYER_CASES } from './documented-cases/buyer-cases.ts';
import { CATALOGUE_CASES } from './documented-cases/catalogue-cases.ts';
import { SALE_CASES } from './documented-cases/sale-cases.ts';
import { UPLOAD_CASES } from './documented-cases/upload-cases.ts';
import { WEBHOOK_CASES } from './documented-cases/webhook-cases.ts';
import { bearer, openTestShop } from './open-test-shop.ts';
import { exampleRequest } from './read-document.ts';

/** How each documented status comes about, beside those that every route with a key has. */
export const CASES: Cases = {
  ...CATALOGUE_CASES,
  ...UPLOAD_CASES,
  ...SALE_CASES,
  ...WEBHOOK_CASES,
  ...BUYER_CASES,
  checkHealth: { 200: plain },
  checkReadiness: {
    200: plain,
    503: async (operation) => {
      const testShop = await openTestShop(() => ({ database: { answers: async () => false } }));
      return testShop.app.inject(exampleRequest(operation));
    },
  },
  readMetrics: {
    200: readMetrics({ siteUrl: 'http://localhost:3000' }),
    401: readMetrics({ metrics: { ...NO_METRICS, token: 'a-token-of-the-test' } }),
    403: readMetrics({}, '192.0.2.1'),
  },
  readOpenApi: { 200: plain },
  readReference: { 200: plain },
};

/** What every route with a key may answer, whatever it does. */
export const KEY_CASES: Readonly<Record<number, Case>> = {
  401: plain,
  403: async (operation) => {
    const testShop = await openTestShop();
    const { headers, ...request } = exampleRequest(operation);
    return testShop.app.inject({
      ...request,
      headers: { ...headers, ...bearer(await addUser(testShop, null)) },
    });
  },
  500: withFailingStore('fails'),
  503: withFailingStore('hangs'),
};

/** Asked from this machine, unless another address is given. */
function readMetrics(options: Partial<HttpOptions>, remoteAddress = '127.0.0.1'): Case {
  return async (operation) => {
    const { app } = await openTestShop(undefined, options);
    return app.inject({ ...exampleRequest(operation), remoteAddress });
  };
}

function withFailingStore(fault: 'fails' | 'hangs'): Case {
  return async (operation) => {
    const testShop = await openTestShop(({ users }) => ({
      users: { ...users, findByKeyHash: async () => Promise.reject(faultOf(fault)) },
    }));
    const { headers, ...request } = exampleRequest(operation);
    return testShop.app.inject({ ...request, headers: { ...headers, ...bearer(testShop.shop.ownerKey) } });
  };
}
