import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Html, html, joinHtml } from '../src/index.ts';

const text = fc.oneof(
  fc.constantFrom('<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onclick='x", '&lt;', '!'),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '=', ';', '#', '!', '$', '{', 'a') }),
);

/** What a browser makes of it again. */
function readText(escaped: string): string {
  return escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

describe('a template', () => {
  test('escapes every text, at any position', () => {
    fc.assert(
      fc.property(text, text, (first, second) => {
        const [, attribute = '', content = ''] =
          /^<b title="([^"]*)">([^<>]*)<\/b>$/.exec(String(html`<b title="${first}">${second}</b>`)) ?? [];
        expect(attribute + content).not.toMatch(/[<>"'=]|&(?!#\d+;)/);
        expect([readText(attribute), readText(content)]).toEqual([first, second]);
      }),
    );
  });

  test('inserts its own HTML unchanged, once or several times', () => {
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const pieces = texts.map((each) => html`<i>${each}</i>`);
        expect(String(html`<p>${pieces}</p>`)).toBe(`<p>${pieces.map(String).join('')}</p>`);
        expect(String(html`${html`${pieces}`}`)).toBe(pieces.map(String).join(''));
      }),
    );
  });

  test('writes numbers, including 0, and nothing for missing values', () => {
    expect(String(html`${0} ${1.5} ${null}${undefined}${false}${''}${[null, false, html`x`]}`)).toBe(
      '0 1.5 x',
    );
  });
});

test('escapes joined pieces and their separator', () => {
  expect(String(joinHtml(['<', html`<b>${'&'}</b>`, 2], '&'))).toBe('&#60;&#38;<b>&#38;</b>&#38;2');
  expect(String(joinHtml(['a', 'b'], html`<wbr>`))).toBe('a<wbr>b');
  expect(String(joinHtml([], ', '))).toBe('');
});

describe('the type of HTML', () => {
  const show = (piece: Html) => String(piece);

  test('rejects text as HTML', () => {
    // @ts-expect-error: a text is not escaped yet.
    expect(show('<b>')).toBe('<b>');
    // @ts-expect-error: what only looks like it is not made by a template.
    expect(show({ text: '<b>' })).toBe('[object Object]');
  });

  test('rejects HTML as text, so that nothing is escaped twice by accident', () => {
    const piece = html`<b>${'<'}</b>`;
    // @ts-expect-error: pieces are joined by `joinHtml`.
    const joined: Html = [piece, piece].join('');
    expect(String(html`${joined}`)).not.toContain('<b>');
    // @ts-expect-error: HTML has no methods of texts.
    expect(() => piece.replace('<', '')).toThrow(TypeError);
  });

  test('rejects values with a surprising text form', () => {
    // @ts-expect-error: a condition that is true is not text.
    expect(String(html`${true}`)).toBe('true');
    // @ts-expect-error: texts would run together.
    expect(String(html`${['a', 'b']}`)).toBe('ab');
    // @ts-expect-error: an object has no text.
    expect(String(html`${{}}`)).toBe('[object Object]');
  });
});
