import { describe, expect, it } from 'vitest';
import { countItems, joinNames, lastSegment, splitNames } from '../src/index.ts';

describe('texts of an order', () => {
  it('are joined to a name', () => {
    expect(joinNames('Ana', 'Lima')).toBe('Ana Lima');
    expect(joinNames(undefined, 'Lima')).toBe('Lima');
    expect(joinNames('', undefined)).toBe(null);
  });

  it.each([
    ['太郎', '山田', '山田 太郎'],
    ['さくら', '佐々木', '佐々木 さくら'],
    ['민수', '김', '김 민수'],
    ['ジョン', 'スミス', 'ジョン スミス'],
    [' 太郎 ', '山田\u3000', '山田 太郎'],
    ['Taro', '山田', 'Taro 山田'],
    [undefined, '山田', '山田'],
  ])('are joined with the family’s name first where it is written so: %s and %s', (first, last, name) => {
    expect(joinNames(first, last)).toBe(name);
  });

  it.each([
    ['pads', 'pads'],
    ['/pads', 'pads'],
    ['/music/pads/', 'pads'],
    [' / ', undefined],
    [undefined, undefined],
  ])('have a last segment: %s ends in %s', (path, expected) => {
    expect(lastSegment(path)).toBe(expected);
  });

  it.each([
    ['Felt Piano', ['Felt Piano']],
    [' A, B;C ,,; D,', ['A', 'B', 'C', 'D']],
    [',', []],
    [undefined, []],
  ])('are split into names: %s gives %o', (text, expected) => {
    expect(splitNames(text)).toEqual(expected);
  });

  it('are split only far enough to detect too many names', () => {
    expect(splitNames(`${',;'.repeat(5000)}A,`.repeat(3))).toEqual(['A', 'A', 'A']);
    expect(splitNames('A,'.repeat(5000))).toHaveLength(1001);
  });

  it.each([
    ['2', 2, []],
    [undefined, 1, []],
    ['many', 1, ['Line 1: no readable quantity; taken as 1.']],
  ])('are read as a quantity: %s counts %i', (quantity, expected, expectedNotes) => {
    const notes: string[] = [];
    expect(countItems(quantity, 'Line 1', notes)).toBe(expected);
    expect(notes).toEqual(expectedNotes);
  });
});
