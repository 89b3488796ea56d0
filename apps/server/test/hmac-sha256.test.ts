import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHmacSha256 } from '../src/keyring/hmac-sha256.ts';

const keys = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => createSecretKey(bytes));
const contents = fc.uint8Array({ maxLength: 55 });

test('gives the MAC that Node gives, whatever was hashed before', () => {
  fc.assert(
    fc.property(keys, keys, fc.array(contents, { minLength: 1, maxLength: 4 }), (one, other, all) => {
      const [hmacOfOne, hmacOfOther] = [createHmacSha256(one), createHmacSha256(other)];
      for (const content of all) {
        expect(hmacOfOne(content)).toEqual(createHmac('sha256', one).update(content).digest());
        expect(hmacOfOther(content)).toEqual(createHmac('sha256', other).update(content).digest());
      }
    }),
    { numRuns: 1000 },
  );
});

// RFC 4231, test cases 1 and 2.
test.each([
  ['0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    Buffer.from('Jefe').toString('hex'),
    'what do ya want for nothing?',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
])('gives the MAC of the standard for the key %s', (key, content, mac) => {
  const hmac = createHmacSha256(createSecretKey(Buffer.from(key, 'hex')));
  expect(hmac(Buffer.from(content)).toString('hex')).toBe(mac);
});

test('rejects what does not fit into a block', () => {
  const hmac = createHmacSha256(createSecretKey(Buffer.alloc(32)));
  expect(() => hmac(Buffer.alloc(56))).toThrow(RangeError);
  expect(() => createHmacSha256(createSecretKey(Buffer.alloc(65)))).toThrow(RangeError);
});
