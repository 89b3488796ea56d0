import { describe, expect, it } from 'vitest';
import { groupDigits } from '../src/index.ts';

describe('a whole number for people to read', () => {
  it.each([
    ['0', '0'],
    ['999', '999'],
    ['1000', '1,000'],
    ['-1250', '-1,250'],
    ['-125', '-125'],
    ['1234567', '1,234,567'],
  ])('%s is %s', (whole, grouped) => {
    expect(groupDigits(whole)).toBe(grouped);
  });
});
