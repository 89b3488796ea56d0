import { expect, it } from 'vitest';
import { createSealing, openSealing } from '../src/transfer/sealing.ts';

it('the key of an export takes the work of 2^18 rounds of scrypt for each guess, unless a test wants less', async () => {
  const workOf = (key: Uint8Array) => /^-> scrypt \S+ (\d+)$/m.exec(Buffer.from(key).toString('latin1'))?.[1];
  expect(workOf((await createSealing('four words of a passphrase')).key)).toBe('18');
  const { key } = await createSealing('four words of a passphrase', 10);
  expect(workOf(key)).toBe('10');
  expect(await openSealing(key, 'four words of a passphrase')).not.toBe(null);
  expect(await openSealing(key, 'another passphrase')).toBe(null);
});
