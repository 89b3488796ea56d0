import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { formatRow, mapColumn, meterRows, parseRow, splitRows } from '../src/transfer/copy-text.ts';

const values = fc.array(fc.option(fc.string({ unit: anyCharacter })), { minLength: 1, maxLength: 5 });
const rows = fc.array(
  fc.array(fc.option(fc.string({ unit: anyCharacter })), { minLength: 2, maxLength: 2 }),
  {
    maxLength: 20,
  },
);

it('reads every row as it was written, in one line', () => {
  fc.assert(
    fc.property(values, (row) => {
      const line = formatRow(row);
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(parseRow(line.slice(0, -1))).toEqual(row);
    }),
  );
});

it('finds the rows wherever the chunks are cut, and measures them in any order', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 40 }), async (table, size) => {
      const lines = table.map((row) => formatRow(row));
      const measured = async (texts: readonly string[], chunk: number) => {
        const meter = meterRows();
        const passed = await collect(meter.through(cut(Buffer.from(texts.join('')), chunk)));
        expect(Buffer.concat(passed).toString()).toBe(texts.join(''));
        return meter.measure();
      };
      const whole = await measured(lines, 1_000_000);
      expect(whole.rows).toBe(table.length);
      expect(await measured(lines, size)).toEqual(whole);
      expect((await measured(lines.toReversed(), size)).rowsHash).toBe(whole.rowsHash);
      const found = await collect(splitRows(cut(Buffer.from(lines.join('')), size)));
      expect(found.map((line) => `${line}\n`)).toEqual(lines);
    }),
  );
});

it('tells rows apart that differ in one byte', async () => {
  const hashOf = async (text: string) => {
    const meter = meterRows();
    await collect(meter.through(cut(Buffer.from(text), 3)));
    return meter.measure().rowsHash;
  };
  expect(await hashOf('a\tb\nc\td\n')).not.toBe(await hashOf('a\tb\nc\te\n'));
  expect(await hashOf('a\tb\n')).not.toBe(await hashOf('a\tb\na\tb\n'));
});

it('changes one column, and no null', async () => {
  const table = Buffer.from(formatRow(['1', 'a\tb']) + formatRow(['2', null]));
  const changed = mapColumn(cut(table, 2), ['id', 'name'], 'name', (name, row) => `${name}\n${row.id}`);
  const found = await collect(splitRows(changed));
  expect(found.map(parseRow)).toEqual([
    ['1', 'a\tb\n1'],
    ['2', null],
  ]);
});

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
