import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FONTS, narrowedFile, narrowFont } from '../narrow-fonts.ts';

test.each(FONTS)(
  '%s is what its package has of it: after a change, run `pnpm run narrow-fonts`',
  async (font) => {
    const kept = readFileSync(narrowedFile(font));
    expect((await narrowFont(font)).equals(kept)).toBe(true);
  },
);
