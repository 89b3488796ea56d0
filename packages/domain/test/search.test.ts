import { compareHits, groupHits, isBlankSearch, readSearch, type SearchHit } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.emailAddress(),
  fc.string().map((end) => `#${end}`),
);

describe('what a searched text may be', () => {
  it('is a number and nothing else with # before it', () => {
    expect(readSearch(' #1252 ')).toEqual({
      words: [],
      orderNumber: '1252',
      address: null,
      addressStart: null,
      sku: null,
    });
    expect(readSearch('#FS-7')).toMatchObject({ orderNumber: 'fs-7' });
  });

  it('is an address, or how one begins, with an @ in it', () => {
    const words = ['ana', 'lima', 'example', 'com'];
    expect(readSearch('Ana.Lima@Example.com')).toEqual({
      words,
      orderNumber: null,
      address: 'ana.lima@example.com',
      addressStart: 'ana.lima@example.com',
      sku: null,
    });
    expect(readSearch('ana@')).toEqual({
      words: ['ana'],
      orderNumber: null,
      address: null,
      addressStart: 'ana@',
      sku: null,
    });
  });

  it('is otherwise a name, a number or a SKU', () => {
    expect(readSearch('Felt 2')).toEqual({
      words: ['felt', '2'],
      orderNumber: 'felt 2',
      address: null,
      addressStart: null,
      sku: 'felt 2',
    });
  });

  it('is nothing when blank', () => {
    for (const blank of ['', '  ', '#', ' # ', '\0']) expect(isBlankSearch(readSearch(blank))).toBe(true);
    for (const typed of ['a', '#1', 'a@b.test', '%']) expect(isBlankSearch(readSearch(typed))).toBe(false);
  });

  it('means the same in any case, and with blanks around', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 100 }), (typed) => {
        expect(readSearch(`  ${typed.toUpperCase()} `)).toEqual(readSearch(typed.toLowerCase()));
      }),
    );
  });

  it('has the same number with and without the #', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9-]{1,40}$/), (number) => {
        expect(readSearch(`#${number}`).orderNumber).toBe(readSearch(number).orderNumber);
      }),
    );
  });

  it('is bounded, and holds no NUL, whatever is pasted', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 500 }), (part, times) => {
        const { words, orderNumber, address, sku } = readSearch(part.repeat(times));
        // A normalized character can be several: the longest has 18.
        for (const one of [...words, orderNumber ?? '', address ?? '', sku ?? '']) {
          expect(one.length).toBeLessThanOrEqual(200 * 18 * 2);
          expect(one).not.toContain('\0');
        }
        expect(words.length).toBeLessThanOrEqual(40);
      }),
    );
  });

  it('keeps sales out of a text with #, and SKUs out of an address', () => {
    fc.assert(
      fc.property(text, (typed) => {
        const { words, orderNumber, address, sku } = readSearch(typed);
        if (address !== null) expect([orderNumber, sku]).toEqual([null, null]);
        if (typed.normalize('NFKC').trim().startsWith('#'))
          expect([...words, address, sku]).toEqual([null, null]);
      }),
    );
  });
});

describe('what was found', () => {
  const hit = fc.record({
    kind: fc.constantFrom('order' as const, 'buyer' as const, 'entry' as const, 'product' as const),
    id: fc.uuid(),
    title: fc.string(),
    isExact: fc.boolean(),
    isTest: fc.boolean(),
    at: fc.date({ noInvalidDate: true }),
    detail: fc.constant(null),
    about: fc.constant(null),
    platform: fc.constant(null),
    status: fc.constantFrom(null, 'ignored' as const, 'error' as const),
  });

  it('is in groups, each with its best first, and the groups of exact names before the others', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hit, { selector: ({ id }) => id }), (hits) => {
        const groups = groupHits(hits);
        expect(groups.flatMap((group) => group.hits).length).toBe(hits.length);
        expect(new Set(groups.map(({ kind }) => kind)).size).toBe(groups.length);
        for (const { kind, hits: grouped } of groups) {
          expect(grouped.every((one) => one.kind === kind)).toBe(true);
          expect(grouped).toEqual(grouped.toSorted(compareHits));
        }
        const exact = groups.map((group) => group.hits[0]?.isExact ?? false);
        expect(exact).toEqual(exact.toSorted((a, b) => Number(b) - Number(a)));
      }),
    );
  });

  it('begins with orders, even if customers have such a name', () => {
    const found = (kind: SearchHit['kind'], isExact: boolean): SearchHit => ({
      kind,
      isTest: false,
      id: kind,
      title: kind,
      detail: null,
      about: null,
      platform: null,
      status: null,
      isExact,
      at: new Date(0),
    });
    const kinds = (hits: readonly SearchHit[]) => groupHits(hits).map(({ kind }) => kind);
    expect(kinds([found('product', false), found('buyer', false), found('order', false)])).toEqual([
      'order',
      'buyer',
      'product',
    ]);
    expect(kinds([found('order', false), found('product', true)])).toEqual(['product', 'order']);
  });
});
