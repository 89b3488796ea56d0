import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));

it('another team’s program fulfils an order with the domain alone', () => {
  const printed = execFileSync(process.execPath, [program], { encoding: 'utf8' });
  expect(printed).toMatch(/^To ana@example\.com: Pads at http:\/\/shop\.test\/d\/\S+\n/);
  expect(printed).toMatch(/\nAna Lima bought Pads for 49\.00 EUR, mailed 2026-\S+\n$/);
});

it('in under 60 lines', () => {
  expect(readFileSync(program, 'utf8').split('\n').length).toBeLessThan(60);
});
