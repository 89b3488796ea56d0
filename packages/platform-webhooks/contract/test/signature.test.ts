import { describe, expect, it } from 'vitest';
import { findSigner, signHmac, verifyHmac } from '../src/index.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

// Computed once, outside this code base.
const VECTORS = [
  ['base64', 'test-secret', '{"id":1}', 'H19jdkTt0bdVHJbmH87mtfSa7ud+merMEAWsvbbRGkY='],
  ['hex', 'test-secret', '{"id":1}', '1f5f637644edd1b7551c96e61fcee6b5f49aeee77e99eacc1005acbdb6d11a46'],
  ['base64', 'test-secret', '{"name":"Caf\\u00e9 \\/ Pads"}', 'qxYBk6q7YQvvFo+MDy6JAZ3w9JH8MkNrD9Brh30ay0c='],
  ['base64', 'R&D-secret', '{"id":1}', 'HrSWpC/dRo1M/a+8xUI78X1WaaRy95h5FVHwsB01EDQ='],
  ['base64', 'R&amp;D-secret', '{"id":1}', 'OcnMWbh3BAC/Z2OA6kg+O/1LscHA+EggabRcAYjdHmg='],
] as const;

const MALFORMED = 'The signature is not in the form that this platform uses.';

describe('HMAC-SHA256', () => {
  it.each(VECTORS)('in %s with %s over %s equals the known vector', (encoding, secret, body, signature) => {
    expect(signHmac(secret, bytes(body), encoding)).toBe(signature);
    const inbound = { body: bytes(body), headers: { signature } };
    const scheme = { headers: ['signature'], encodings: ['base64', 'hex'] } as const;
    const connections = [{ id: 'main', secrets: ['another', secret] }];
    expect(verifyHmac(inbound, connections, scheme)).toEqual({ kind: 'verified', connectionId: 'main' });
  });

  it('can use a key that is derived from the stored secret', () => {
    const [, , , , [, , body, signature]] = VECTORS;
    const keys = (secret: string) => [secret, secret.replaceAll('&', '&amp;')];
    const verification = verifyHmac(
      { body: bytes(body), headers: { signature } },
      [{ id: 'main', secrets: ['R&D-secret'] }],
      { headers: ['signature'], encodings: ['base64'], keys },
    );
    expect(verification.kind).toBe('verified');
  });

  it.each([
    [undefined, 'The signature is missing.'],
    ['', 'The signature is missing.'],
    [' \t', 'The signature is missing.'],
    [['a', 'a'], 'The signature header came more than once.'],
    ['é', 'The signature holds characters outside ASCII.'],
    ['\u00a0H19jdkTt0bdVHJbmH87mtfSa7ud+merMEAWsvbbRGkY=', 'The signature holds characters outside ASCII.'],
    ['abc', MALFORMED],
    ['1F5F637644EDD1B7551C96E61FCEE6B5F49AEEE77E99EACC1005ACBDB6D11A46', MALFORMED],
    [`A${VECTORS[0][3]}`, MALFORMED],
    [`${VECTORS[0][3]}A`, MALFORMED],
    [`0${VECTORS[1][3]}`, MALFORMED],
    [`${VECTORS[1][3]}0`, MALFORMED],
    ['0'.repeat(64), 'The signature fits none of the secrets that are set up.'],
  ])('with %j is refused with its reason', (signature, reason) => {
    const inbound = { body: bytes('{"id":1}'), headers: { signature } };
    const scheme = { headers: ['signature'], encodings: ['base64', 'hex'] } as const;
    expect(verifyHmac(inbound, [{ id: 'main', secrets: ['test-secret'] }], scheme)).toEqual({
      kind: 'refused',
      reason,
    });
  });
});

describe('the search for the signer', () => {
  it('tries every secret, even after a match, and never a blank one', () => {
    const asked: string[] = [];
    const connections = [
      { id: 'one', secrets: ['a', '', 'b'] },
      { id: 'two', secrets: [' ', 'b'] },
    ];
    const verification = findSigner(connections, (secret) => {
      asked.push(secret);
      return secret === 'b';
    });
    expect(verification).toEqual({ kind: 'verified', connectionId: 'one' });
    expect(asked.slice(0, 3)).toEqual(['a', 'b', 'b']);
  });

  it('takes as many steps for one secret as for two, and for three as for four, with and without a match', () => {
    const countAsked = (secrets: readonly string[], matching: string) => {
      let asked = 0;
      findSigner([{ id: 'main', secrets }], (secret) => {
        asked += 1;
        return secret === matching;
      });
      return asked;
    };
    const counts = [['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd', 'e']].map(
      (secrets) => ['a', secrets.at(-1) ?? '', 'none'].map((matching) => countAsked(secrets, matching)),
    );
    expect(counts).toEqual([2, 2, 4, 4, 8].map((count) => [count, count, count]));
  });

  it('never accepts a decoy', () => {
    expect(findSigner([{ id: 'main', secrets: ['a'] }], (secret) => secret !== 'a').kind).toBe('refused');
  });

  it('tries every form of a secret, even after a match', () => {
    const [, secret, body, signature] = VECTORS[0];
    let reads = 0;
    const forms = Object.defineProperty([secret, ''], 1, {
      get: () => {
        reads += 1;
        return 'another form';
      },
    });
    const keys = (stored: string) => (stored === secret ? forms : []);
    const inbound = { body: bytes(body), headers: { signature } };
    const scheme = { headers: ['signature'], encodings: ['base64'], keys } as const;
    expect(verifyHmac(inbound, [{ id: 'main', secrets: [secret] }], scheme).kind).toBe('verified');
    expect(reads).toBe(1);
  });
});
