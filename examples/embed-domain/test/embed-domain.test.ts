import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));

it('another team’s program fulfils orders with a shop and a mailer of its own', () => {
  const printed = execFileSync(process.execPath, [program], { encoding: 'utf8' });
  expect(printed.split('\n')).toEqual([
    expect.stringMatching(/^To ana@example\.com: Pads at http:\/\/shop\.test\/d\/lumen\.\S+$/),
    'PADS: pending, then success. Mailed.',
    'PADS: success, then success. Already delivered.',
    expect.stringMatching(/^KEYS: held, then held\. /),
    expect.stringMatching(/^LAMP: error, then error\. No product is known for SKU LAMP\./),
    '',
  ]);
});

it('in under 60 lines', () => {
  expect(readFileSync(program, 'utf8').split('\n').length).toBeLessThan(60);
});
