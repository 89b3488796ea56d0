import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { namesOfPages, TRIMMED, trimBasecoat, WHOLE } from '../trim-basecoat.ts';

test('the trimmed stylesheet has exactly the rules of Basecoat that the pages need: after a change, run `pnpm run trim-basecoat`', () => {
  expect(readFileSync(TRIMMED, 'utf8') === trimBasecoat()).toBe(true);
});

test('every class of a page is kept, and unused components are removed', () => {
  const used = new Set(namesOfPages());
  const [whole = [], trimmed = []] = [WHOLE, TRIMMED].map((file) => classesOf(readFileSync(file, 'utf8')));
  const wanted = whole.filter((name) => used.has(name));
  expect(wanted).toEqual(
    expect.arrayContaining(['btn', 'card', 'dialog', 'input', 'select', 'table', 'toast']),
  );
  expect(trimmed).toEqual(expect.arrayContaining(wanted));
  for (const name of ['sidebar', 'accordion', 'tabs', 'combobox']) expect(trimmed).not.toContain(name);
  expect(readFileSync(TRIMMED, 'utf8')).toContain(
    '[hidden]:where(:not([hidden=until-found])){display:none!important}',
  );
});

function classesOf(stylesheet: string): readonly string[] {
  return [...new Set([...stylesheet.matchAll(/\.([a-z][a-z-]*)/g)].map(([, name = '']) => name))];
}
