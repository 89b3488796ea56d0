import { expect, test } from 'vitest';
import { everyRow } from '../src/streaming/every-row.ts';

/** A list of so many rows, newest first, and what was asked of it. */
function listOf(count: number) {
  const rows = Array.from({ length: count }, (_, at) => ({ id: String(count - at).padStart(6, '0') }));
  const asked: (string | null)[] = [];
  const fetchPage = async ({ before, limit }: { readonly before: string | null; readonly limit: number }) => {
    asked.push(before);
    return rows.filter(({ id }) => before === null || id < before).slice(0, limit);
  };
  return { rows, asked, fetchPage };
}

async function collect<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

test.each([0, 1, 199, 200, 201, 400, 1001])('returns each of %i rows once, in order', async (count) => {
  const { rows, fetchPage } = listOf(count);
  expect(await collect(everyRow(fetchPage))).toEqual(rows);
});

test('starts after the given row', async () => {
  const { rows, fetchPage } = listOf(500);
  expect(await collect(everyRow(fetchPage, rows[249]?.id))).toEqual(rows.slice(250));
});

test('requests a page only when the previous one was read', async () => {
  const { rows, asked, fetchPage } = listOf(1000);
  const reader = everyRow(fetchPage);
  for (let at = 0; at < 200; at += 1) await reader.next();
  expect(asked).toEqual([null]);
  await reader.next();
  expect(asked).toEqual([null, rows[199]?.id]);
  await reader.return();
  expect(asked).toHaveLength(2);
});
