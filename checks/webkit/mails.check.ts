import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EVERY_MAIL } from '../../packages/adapters-mail/test/every-mail.ts';
import { startWebKit } from './webkit.ts';

const WIDTHS = [1024, 768, 400];
/** Longer than a line on a phone, with hyphens, after which it may be broken. */
const LONG_HOST = 'downloads.the-very-long-name-of-a-shop.with-many-words.example-company.com';

test('every mail is shown, and fits, however long the name of its host is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'handover-webkit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const problems: string[] = [];
  let window = await startWebKit();
  for (const [name, { html }] of EVERY_MAIL) {
    const file = join(folder, `${name}.html`);
    await writeFile(file, html.replaceAll('get.lumen.audio', LONG_HOST));
    try {
      await window.open(`file://${file}`);
      for (const width of WIDTHS) {
        await window.resize(width);
        const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        const scrolled = await window.evaluate<number>(beyond);
        if (scrolled > 0) problems.push(`${name} at ${width}: scrolls sideways by ${scrolled}`);
      }
    } catch (error) {
      problems.push(`${name}: ${error}`);
      await window.close();
      window = await startWebKit();
    }
  }
  await window.close();
  expect(problems).toEqual([]);
});
