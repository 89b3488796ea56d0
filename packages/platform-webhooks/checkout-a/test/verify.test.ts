import { describe, expect, it } from 'vitest';
import { verify } from '../src/verify.ts';

const BODY = new TextEncoder().encode('{"id":1}');
// Computed once, outside this code base.
const BASE64 = 'H19jdkTt0bdVHJbmH87mtfSa7ud+merMEAWsvbbRGkY=';
const HEX = '1f5f637644edd1b7551c96e61fcee6b5f49aeee77e99eacc1005acbdb6d11a46';
const OF_EMPTY_KEY = 'OH4HrEMyI2Gyl0Nx9AtqhHOTI11vM8Vi/iDRBFu925g=';

function verifyHeaders(headers: Readonly<Record<string, string>>) {
  const inbound = { platform: 'checkout-a', body: BODY, headers, query: {} } as const;
  return verify({ ...inbound, receivedAt: new Date(0) }, [{ id: 'main', secrets: ['test-secret'] }]);
}

function verifySignature(signature: string, secrets: readonly string[]) {
  const headers = { 'x-fs-signature': signature };
  const inbound = { platform: 'checkout-a', body: BODY, headers, query: {} } as const;
  return verify({ ...inbound, receivedAt: new Date(0) }, [{ id: 'main', secrets }]);
}

describe('the signature of checkout-a', () => {
  it.each([
    ['base64', BASE64],
    ['hex', HEX],
  ])('matches the known vector in %s', (_encoding, signature) => {
    expect(verifySignature(signature, ['test-secret'])).toEqual({ kind: 'verified', connectionId: 'main' });
  });

  it.each([
    ['upper case hex', HEX.toUpperCase()],
    ['hex cut by one digit', HEX.slice(1)],
    ['hex of another body', HEX.replace('1f5f', '1f5e')],
    ['another spelling of the same bytes', BASE64.replace('RGkY=', 'RGkZ=')],
    ['base64 for URLs', BASE64.replaceAll('+', '-')],
  ])('in %s is refused', (_case, signature) => {
    expect(verifySignature(signature, ['test-secret']).kind).toBe('refused');
  });

  it('is read from our neutral header too', () => {
    expect(verifyHeaders({ 'x-checkout-a-signature': BASE64 }).kind).toBe('verified');
  });

  it('with an empty key is refused, even if it matches', () => {
    expect(verifySignature(OF_EMPTY_KEY, [''])).toEqual({
      kind: 'refused',
      reason: 'No secret is set up for this platform.',
    });
  });
});
