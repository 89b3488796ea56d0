import { createInMemoryStores } from '@handover/domain/memory';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moveOne, nameVersionFile } from '../src/catalogue/version-files.ts';
import { listFilesInMail, MAX_FILES_IN_MAILS } from '../src/model/product.ts';

const NAMES = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 });

test('moving a file up and down again changes nothing, and moves only its neighbour', () => {
  fc.assert(
    fc.property(NAMES, fc.nat(), (names, seed) => {
      const name = names[seed % names.length] ?? '';
      const up = moveOne(names, name, 'up');
      if (up === null) {
        expect(names[0]).toBe(name);
        return;
      }
      expect(moveOne(up, name, 'down')).toEqual(names);
      expect(up.filter((one, at) => one !== names[at])).toHaveLength(2);
    }),
  );
  expect(moveOne(['a'], 'b', 'up')).toBe(null);
});

describe('the name of a file for buyers', () => {
  const { products } = createInMemoryStores();
  const place = { orgId: 'o', productId: 'p', versionId: 'v', name: 'a.zip' };

  test.each([
    ['two\nlines'],
    ['a\u0000b'],
    ['exe.\u202egpj'],
    ['\u2066Windows'],
    ['\u061cWindows'],
    ['\u200b'],
    ['x'.repeat(61)],
  ])('is refused when it could mislead or break a line: %j', async (text) => {
    expect(await nameVersionFile({ products }, place, text)).toMatchObject({
      kind: 'invalid',
      field: 'displayName',
    });
  });

  test.each([
    'Windows',
    'macOS (Apple silicon)',
    'Manuel français',
    '取扱説明書',
    '👩‍💻 tools',
    'x'.repeat(60),
  ])('can be in any language: %s', async (text) => {
    expect((await nameVersionFile({ products }, place, text)).kind).toBe('unknown-file');
  });
});

test('a mail names files once one of them has a name, and not too many', () => {
  const file = (name: string, displayName?: string) => ({
    ...{ name, size: 1, sha256: '' },
    ...(displayName && { displayName }),
  });
  expect(listFilesInMail([file('a'), file('b')])).toEqual([]);
  expect(listFilesInMail([file('a', 'Windows'), file('b')])).toEqual(['Windows', 'b']);
  const many = Array.from({ length: 20 }, (_, at) => file(`${at}`, `Part ${at}`));
  expect(listFilesInMail(many)).toHaveLength(MAX_FILES_IN_MAILS);
});
