import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCells } from '../src/statements/cells.ts';

test('gives all cells of the rows, whatever texts they hold', async () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom('', '\u001f', '\u001f\u001f', 'a\u001f', '\u001fb', '\u001e0\u001f'),
  );
  const tables = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(texts, { minLength: width, maxLength: width }), { maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(tables, async (rows) => {
      const width = rows[0]?.length ?? 1;
      const { cells } = await readCells(width, async (separator) => ({
        cells: rows.length === 0 ? null : rows.map((row) => row.join(separator)).join(separator),
        count: rows.length,
      }));
      expect(cells).toEqual(rows.flat());
    }),
  );
});

test('fails when a cell is missing', async () => {
  await expect(readCells(2, async () => ({ cells: 'only one', count: 1 }))).rejects.toThrow('null');
});
