import { expect, test } from 'vitest';
import { scaleWithText } from '../src/pages/scale-with-text.ts';

test.each([
  [
    'p { font: 400 14px / 21px sans-serif; margin: 0 -8px }',
    'p { font: 400 0.875rem / 1.3125rem sans-serif; margin: 0 -0.5rem }',
  ],
  ['p { font-size: 12.5px }', 'p { font-size: 0.78125rem }'],
  ['p{border:1px solid;outline:2px solid;gap:.5px}', 'p{border:1px solid;outline:2px solid;gap:.5px}'],
  ['@media (max-width: 767px) { }', '@media (max-width: 47.9375rem) { }'],
  ['@container many-columns (min-width: 920px) { }', '@container many-columns (min-width: 57.5rem) { }'],
  ['p { width: calc(100% - 40px); color: #12px34 }', 'p { width: calc(100% - 2.5rem); color: #12px34 }'],
  ['.w-10px { width: 50%; height: 2rem }', '.w-10px { width: 50%; height: 2rem }'],
])('a size grows with the text, a hairline does not: %s', (written, served) => {
  expect(scaleWithText(written)).toBe(served);
});
