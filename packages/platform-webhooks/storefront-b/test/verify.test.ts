import { signHmac } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { listSecretForms, verify } from '../src/verify.ts';

const BODY = encode('{"id":1}');
// Computed once, outside this code base.
const KNOWN = 'H19jdkTt0bdVHJbmH87mtfSa7ud+merMEAWsvbbRGkY=';
const OF_ESCAPES = 'qxYBk6q7YQvvFo+MDy6JAZ3w9JH8MkNrD9Brh30ay0c=';
const OF_SECRET_AS_TYPED = 'HrSWpC/dRo1M/a+8xUI78X1WaaRy95h5FVHwsB01EDQ=';
const OF_SECRET_AS_ENTITIES = 'OcnMWbh3BAC/Z2OA6kg+O/1LscHA+EggabRcAYjdHmg=';
const OF_EMPTY_KEY = 'OH4HrEMyI2Gyl0Nx9AtqhHOTI11vM8Vi/iDRBFu925g=';

function verifyHeaders(headers: Readonly<Record<string, string>>) {
  const inbound = { platform: 'storefront-b', body: BODY, headers, query: {} } as const;
  return verify({ ...inbound, receivedAt: new Date(0) }, [{ id: 'main', secrets: ['test-secret'] }]);
}

function verifySignature(signature: string, secrets: readonly string[], body = BODY) {
  const headers = { 'x-wc-webhook-signature': signature };
  const inbound = { platform: 'storefront-b', body, headers, query: {} } as const;
  return verify({ ...inbound, receivedAt: new Date(0) }, [{ id: 'main', secrets }]);
}

describe('the signature of storefront-b', () => {
  it('matches the known vector', () => {
    expect(verifySignature(KNOWN, ['test-secret'])).toEqual({ kind: 'verified', connectionId: 'main' });
  });

  it('covers the escapes that the shop writes, not the decoded text', () => {
    const escaped = encode('{"name":"Caf\\u00e9 \\/ Pads"}');
    const unescaped = encode('{"name":"Café / Pads"}');
    expect(verifySignature(OF_ESCAPES, ['test-secret'], escaped).kind).toBe('verified');
    expect(verifySignature(OF_ESCAPES, ['test-secret'], unescaped).kind).toBe('refused');
  });

  it.each([
    ['as typed', OF_SECRET_AS_TYPED],
    ['as entities', OF_SECRET_AS_ENTITIES],
  ])('can use the secret %s, in either stored form', (_form, signature) => {
    expect(verifySignature(signature, ['R&D-secret']).kind).toBe('verified');
    expect(verifySignature(signature, ['R&amp;D-secret']).kind).toBe('verified');
    expect(verifySignature(signature, ['R D-secret']).kind).toBe('refused');
  });

  it('is read from our neutral header too', () => {
    expect(verifyHeaders({ 'x-storefront-b-webhook-signature': KNOWN }).kind).toBe('verified');
  });

  it('with an empty key is refused, even if it matches', () => {
    expect(verifySignature(OF_EMPTY_KEY, [''])).toEqual({
      kind: 'refused',
      reason: 'No secret is set up for this platform.',
    });
  });

  it('in hex is refused: this platform writes base64', () => {
    expect(verifySignature(signHmac('test-secret', BODY, 'hex'), ['test-secret']).kind).toBe('refused');
  });

  it('counts in one spelling only, though others decode to the same bytes', () => {
    expect(verifySignature(KNOWN.replace('RGkY=', 'RGkZ='), ['test-secret']).kind).toBe('refused');
    expect(verifySignature(KNOWN.replaceAll('+', '-'), ['test-secret']).kind).toBe('refused');
  });
});

describe('the forms of a secret', () => {
  it.each([
    ['test-secret', ['test-secret']],
    ['R&D', ['R&D', 'R&amp;D']],
    ['R&amp;D', ['R&amp;D', 'R&amp;amp;D', 'R&D']],
    [`<"a" 'b'>`, [`<"a" 'b'>`, '&lt;&quot;a&quot; &#039;b&#039;&gt;']],
    ['&lt;&quot;&#039;&#39;&#x27;&apos;&#038;&gt;', [`<"''''&>`]],
    ['&amp;lt;', ['&lt;']],
    ['&#38;&#0038;&#00039;&#x0027;', [`&&''`]],
    ['&euro;', ['&euro;', '&amp;euro;']],
    ['   &amp; ', ['   & ']],
  ])('of %s include those that a shop may sign with', (secret, forms) => {
    expect(listSecretForms(secret)).toEqual(expect.arrayContaining(forms));
  });

  it('have no additional ones without an entity', () => {
    expect(listSecretForms('whsec_0123 456?+/=')).toEqual(['whsec_0123 456?+/=']);
  });
});
