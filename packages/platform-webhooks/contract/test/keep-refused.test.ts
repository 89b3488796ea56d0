import { describe, expect, it } from 'vitest';
import { keepCredential, type PlatformWebhook } from '../src/index.ts';

const FINGERPRINTS = { make: (orgId: string, secret: string) => `${orgId}/${secret.length}` };
const REQUEST = { headers: {}, query: {}, body: new Uint8Array() };
type Platform = Pick<PlatformWebhook, 'credential' | 'keptHeaders'>;

const signed: Platform = {
  keptHeaders: ['x-topic'],
  credential: { kind: 'signature', headers: ['x-sign', 'x-vendor-sign'], inBody: (body) => body.length > 3 },
};
const expiring: Platform = {
  keptHeaders: [],
  credential: { kind: 'signature', headers: ['x-sign'], expires: true },
};
const inUrl: Platform = { keptHeaders: [], credential: { kind: 'secret-in-url', parameter: 'secret' } };

describe('a kept request', () => {
  it('keeps its signature by either name, and the headers that translation reads', () => {
    const headers = { 'x-vendor-sign': 'abc', 'x-topic': 'sold', cookie: 'private' };
    expect(keepCredential(signed, 'org-1', { ...REQUEST, headers }, FINGERPRINTS)).toEqual({
      headers: { 'x-vendor-sign': 'abc', 'x-topic': 'sold' },
      secretFingerprint: null,
    });
  });

  it('keeps a body with the signature in it', () => {
    const kept = keepCredential(signed, 'org-1', { ...REQUEST, body: new Uint8Array(4) }, FINGERPRINTS);
    expect(kept).toEqual({ headers: {}, secretFingerprint: null });
  });

  it('keeps only the fingerprint of a secret in the URL', () => {
    const kept = keepCredential(inUrl, 'org-1', { ...REQUEST, query: { secret: 'hush' } }, FINGERPRINTS);
    expect(kept).toEqual({ headers: {}, secretFingerprint: 'org-1/4' });
  });

  it.each([
    ['no signature', signed, {}, {}],
    ['a signature that came twice', signed, { 'x-sign': ['a', 'b'] }, {}],
    ['a signature that no store can hold', signed, { 'x-sign': 'a\0' }, {}],
    ['no secret', inUrl, {}, {}],
    ['an empty secret', inUrl, {}, { secret: ' ' }],
    ['two secrets', inUrl, {}, { secret: ['hush', 'hush'] }],
    ['a signature that expires', expiring, { 'x-sign': 'a' }, {}],
  ])('keeps nothing where there is %s', (_case, platform: Platform, headers, query) => {
    expect(keepCredential(platform, 'org-1', { ...REQUEST, headers, query }, FINGERPRINTS)).toBe(null);
  });
});
