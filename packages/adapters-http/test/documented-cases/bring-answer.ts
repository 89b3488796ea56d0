import { Readable } from 'node:stream';
import { DomainError } from '@handover/domain';
import type { InjectOptions } from 'fastify';
import { BODY_LIMITS } from '../../src/requests/request-bodies.ts';
import { bearer, openTestShop, type TestShop } from '../open-test-shop.ts';
import { type DocumentedOperation, exampleRequest } from '../read-document.ts';

/** Brings an operation to answer with one status. */
export type Case = (operation: DocumentedOperation) => Promise<Answer>;
export type Answer = Awaited<ReturnType<TestShop['app']['inject']>>;
/** How each documented status of an operation comes about. */
export type Cases = Readonly<Record<string, Readonly<Record<number, Case>>>>;

export type Request = InjectOptions & { readonly headers?: Readonly<Record<string, string>> };
type Ids = Readonly<Record<string, string>>;

/** An id that nothing has. */
export const UNKNOWN = '018f0000-0000-7000-8000-000000000000';
/** A body that is too large for JSON. */
export const LARGE = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });

/** Anybody sends the document's own example. */
export const plain: Case = async (operation) => (await openTestShop()).app.inject(exampleRequest(operation));

/** The owner of a new shop sends the document's own example, with ids of the shop and with changes. */
export function asOwner(
  prepare: (testShop: TestShop) => Promise<Ids | undefined> = async () => undefined,
  change: Request = {},
): Case {
  return async (operation) => {
    const testShop = await openTestShop();
    const ids = { productId: testShop.shop.product.id, ...(await prepare(testShop)) };
    const request = exampleRequest(operation, ids);
    const headers = { ...bearer(testShop.shop.ownerKey), ...request.headers, ...change.headers };
    return testShop.app.inject({ ...request, ...change, headers });
  };
}

export const withBody = (payload: object | string): Case => asOwner(undefined, { payload });
export const withIds = (ids: Ids): Case => asOwner(async () => ids);
export const withQuery =
  (query: string): Case =>
  (operation) =>
    asOwner(undefined, { url: `${exampleRequest(operation).url.split('?')[0]}?${query}` })(operation);

/** The owner sends the document's own example, of which only the first byte ever comes. */
export const slowly: Case = async (operation) => {
  const testShop = await openTestShop(undefined, { bodyLimits: HURRIED });
  const { headers, ...request } = exampleRequest(operation, { orgId: testShop.shop.orgId });
  return testShop.app.inject({
    ...request,
    payload: stalled(),
    headers: { ...bearer(testShop.shop.ownerKey), ...headers, 'content-length': '100' },
  });
};

/** Too short a time for anybody. */
export const HURRIED = { ...BODY_LIMITS, deadlineMs: 20 };

/** As `HURRIED`, for files. */
export const IMPATIENT = { ...BODY_LIMITS, silenceMs: 20 };

/** Begins, and never ends. */
export function stalled(): Readable {
  const body = new Readable({ read: () => undefined });
  body.push('{');
  return body;
}

/** What a store meets that is broken, or that hangs. */
export function faultOf(fault: 'fails' | 'hangs'): Error {
  return fault === 'fails' ? new Error('broken') : new DomainError('store-unavailable', 'gone');
}
