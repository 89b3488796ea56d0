import { describe, expect, it } from 'vitest';
import { verify } from '../src/verify.ts';

const BODY = new TextEncoder().encode('{"id":1}');
// Computed once, outside this code base.
const KNOWN = 'H19jdkTt0bdVHJbmH87mtfSa7ud+merMEAWsvbbRGkY=';
const OF_EMPTY_KEY = 'OH4HrEMyI2Gyl0Nx9AtqhHOTI11vM8Vi/iDRBFu925g=';

function verifySignature(signature: string, secrets: readonly string[]) {
  const headers = { 'x-shopify-hmac-sha256': signature };
  const inbound = { platform: 'storefront-a', body: BODY, headers, query: {} } as const;
  return verify({ ...inbound, receivedAt: new Date(0) }, [{ id: 'main', secrets }]);
}

describe('the signature of storefront-a', () => {
  it('matches the known vector', () => {
    expect(verifySignature(KNOWN, ['test-secret'])).toEqual({ kind: 'verified', connectionId: 'main' });
  });

  it('matches with the old secret during a rotation', () => {
    expect(verifySignature(KNOWN, ['new-secret', 'test-secret']).kind).toBe('verified');
  });

  it('with an empty key is refused, even if it matches', () => {
    expect(verifySignature(OF_EMPTY_KEY, [''])).toEqual({
      kind: 'refused',
      reason: 'No secret is set up for this platform.',
    });
  });

  it('in hex is refused: this platform writes base64', () => {
    const hex = '1f5f637644edd1b7551c96e61fcee6b5f49aeee77e99eacc1005acbdb6d11a46';
    expect(verifySignature(hex, ['test-secret']).kind).toBe('refused');
  });

  it('counts in one spelling only, though others decode to the same bytes', () => {
    expect(verifySignature(KNOWN.replace('RGkY=', 'RGkZ='), ['test-secret']).kind).toBe('refused');
    expect(verifySignature(KNOWN.replaceAll('+', '-'), ['test-secret']).kind).toBe('refused');
  });

  it('uses a secret that looks like hex as text', () => {
    const asBytes = Buffer.from('test-secret').toString('hex');
    expect(verifySignature(KNOWN, [asBytes]).kind).toBe('refused');
  });
});
