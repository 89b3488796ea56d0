import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKeyring, createTestOrderMarks } from '../src/keyring/keyring.ts';

const FORMER = 'a former secret of 32 characters or more';
const NOW = 'the current secret, as long as the other one';

it('a mark stands for its own body under our own secrets, and for nothing else', () => {
  const ours = createTestOrderMarks(createKeyring([NOW, FORMER]));
  const before = createTestOrderMarks(createKeyring([FORMER]));
  const others = createTestOrderMarks(createKeyring(['somebody else’s secret, of the same length']));
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array({ minLength: 1 }), (body, more) => {
      expect(ours.isTestOrder({ headers: ours.make(body), body })).toBe(true);
      expect(ours.isTestOrder({ headers: before.make(body), body })).toBe(true);
      expect(ours.isTestOrder({ headers: others.make(body), body })).toBe(false);
      const longer = new Uint8Array([...body, ...more]);
      expect(ours.isTestOrder({ headers: ours.make(body), body: longer })).toBe(false);
    }),
  );
});

it.each(['', 'AAAA', 'junk!', 'a'.repeat(5000)])('“%s” is not a mark', (text) => {
  const ours = createTestOrderMarks(createKeyring([NOW]));
  const [name = ''] = Object.keys(ours.make(new Uint8Array()));
  expect(ours.isTestOrder({ headers: { [name]: text }, body: new Uint8Array() })).toBe(false);
  expect(ours.isTestOrder({ headers: {}, body: new Uint8Array() })).toBe(false);
});
