import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { LATIN } from '../packages/adapters-http/src/pages/stylesheet.ts';

const PACKAGE = fileURLToPath(new URL('../packages/adapters-http/', import.meta.url));
const { resolve } = createRequire(join(PACKAGE, 'package.json'));

/** Pages use no thinner or bolder weights; these are a third of each file. */
const WEIGHTS = { min: 400, max: 700 };

export const FONTS = ['inter', 'geist-mono'] as const;

export function narrowedFile(font: (typeof FONTS)[number]): string {
  return join(PACKAGE, `assets/${font}-latin.woff2`);
}

/** All characters of the font package's Latin file, in the weights of the pages. */
export function narrowFont(font: (typeof FONTS)[number]): Promise<Buffer> {
  const whole = resolve(`@fontsource-variable/${font}/files/${font}-latin-wght-normal.woff2`);
  const options = { targetFormat: 'woff2', variationAxes: { wght: WEIGHTS } } as const;
  return subsetFont(readFileSync(whole), charactersOf(LATIN), options);
}

function charactersOf(range: string): string {
  const codes = range.split(',').flatMap((part) => {
    const [first = 0, last = first] = part
      .replace('U+', '')
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return String.fromCodePoint(...codes);
}

if (import.meta.main) {
  for (const font of FONTS) {
    writeFileSync(narrowedFile(font), await narrowFont(font));
    const licence = join(dirname(resolve(`@fontsource-variable/${font}/package.json`)), 'LICENSE');
    copyFileSync(licence, join(PACKAGE, `assets/${font}.LICENSE`));
  }
}
