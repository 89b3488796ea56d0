import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: withoutComments(readFileSync(join(folder, 'src', name), 'utf8')) }));

const IMPORT = /^(?:import|export|\}) ?[^'\n]*from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

describe('the domain', () => {
  it('depends on nothing', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  });

  it('imports only its own files', () => {
    for (const { name, text } of sources) {
      const imported = [...text.matchAll(IMPORT)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic);
      expect([name, imported.filter((path) => !path?.startsWith('.'))]).toEqual([name, []]);
    }
  });

  it('has time, ids and randomness given to it', () => {
    for (const { name, text } of sources) {
      expect([name, text.match(/Date\.now|new Date\(\)|Math\.random|\bprocess\.|\bcrypto\./)]).toEqual([
        name,
        null,
      ]);
    }
  });

  it('never imports the stores in memory', () => {
    for (const { name, text } of sources.filter(({ name }) => !name.startsWith('memory'))) {
      expect([name, /from '[^']*memory/.test(text)]).toEqual([name, false]);
    }
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
