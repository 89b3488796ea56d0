import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentDisposition } from '../src/customer/send-file.ts';

describe('Content-Disposition', () => {
  test.each([
    ['felt-piano 2.1.zip', 'attachment; filename="felt-piano 2.1.zip"'],
    ['Übung.zip', `attachment; filename="_bung.zip"; filename*=UTF-8''%C3%9Cbung.zip`],
    ['a"b\\c.zip', `attachment; filename="a_b_c.zip"; filename*=UTF-8''a%22b%5Cc.zip`],
    ['100%.zip', `attachment; filename="100_.zip"; filename*=UTF-8''100%25.zip`],
    ["é'(1)*.zip", `attachment; filename="_'(1)*.zip"; filename*=UTF-8''%C3%A9%27%281%29%2A.zip`],
    [
      '日本語 😀.zip',
      `attachment; filename="___ _.zip"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%E8%AA%9E%20%F0%9F%98%80.zip`,
    ],
  ])('%s', (name, header) => {
    expect(contentDisposition(name)).toBe(header);
  });

  test('is an ASCII header that any name can be decoded from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const header = contentDisposition(name);
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        const [, plain, extended] =
          /^attachment; filename="([^"]*)"(?:; filename\*=UTF-8''([\w!#$&+.^`|~%-]*))?$/.exec(header) ?? [];
        expect(extended === undefined ? plain : decodeURIComponent(extended)).toBe(name);
      }),
    );
  });
});
