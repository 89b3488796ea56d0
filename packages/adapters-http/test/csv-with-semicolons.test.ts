import { describe, expect } from 'vitest';
import { hasDecimalComma } from '../src/requests/negotiate-language.ts';
import { asText, WITH_SEMICOLONS, writeCsv } from '../src/streaming/write-csv.ts';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { deliverOrder } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const GERMAN = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' };
const PAGES = [
  '/dashboard/purchases',
  '/dashboard/reports',
  '/dashboard/reports/sales',
  '/dashboard/settings/activity',
];

describe('a table with semicolons', () => {
  test('is offered beside the one with commas, to whose language has decimal commas', async () => {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    await deliverOrder(dashboard);
    for (const page of PAGES) {
      const [german, english] = [await owner.get(page, GERMAN), await owner.get(page)];
      expect([page, english.body.includes('separator')]).toEqual([page, false]);
      const tables = [...german.body.matchAll(/href="([^"]*\.csv[^"]*)"/g)].map(([, href = '']) =>
        decodeHtml(href),
      );
      expect([page, tables.map((href) => href.includes('separator=semicolon')).sort()]).toEqual([
        page,
        [false, true],
      ]);
      const rows = await Promise.all(tables.sort().map(async (href) => (await owner.get(href)).body));
      const [commas = '', semicolons = ''] = rows.map((body) => body.split('\r\n')[0]);
      expect(semicolons.split(';')).toEqual(commas.split(','));
      expect(semicolons.split(';').length).toBeGreaterThan(5);
    }
  });

  test('has the same purchases, with decimal commas in amounts and nowhere else', async ({ dashboard }) => {
    const owner = await dashboard.signIn('owner');
    await deliverOrder(dashboard, { customer: { name: 'Lima; Ana 1.5', email: 'ana@example.com' } });
    const { body } = await owner.get('/dashboard/purchases.csv?separator=semicolon');
    expect(body).toContain(';"Lima; Ana 1.5";ana@example.com;');
    expect(body).toContain(';49,00;EUR;');
    expect((await owner.get('/dashboard/purchases.csv')).body).toContain(',49.00,EUR,');
  });

  test('has no formula after a semicolon of a cell', async () => {
    const rows = writeCsv(
      { name: (name: string) => asText(name), id: () => '1' },
      ['a;=1+1'],
      WITH_SEMICOLONS,
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of rows) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(`name;id\r\n"a;'=1+1";1\r\n`);
  });

  test.for([
    ['de', true],
    ['fr-FR;q=0.8, en', true],
    ['pt-BR', true],
    ['en-GB, de', false],
    ['de-CH', false],
    ['ja', false],
    ['*', false],
    ['', false],
    [undefined, false],
    ['nonsense;;;q=,', false],
    [`de-${'a'.repeat(9)}`, false],
  ] as const)('is for the language that a browser names first: %s', ([header, expected]) => {
    expect(hasDecimalComma({ headers: header === undefined ? {} : { 'accept-language': header } })).toBe(
      expected,
    );
  });
});
