import { expect, it } from 'vitest';
import { runProgram } from '../src/cli/program.ts';

it.each([
  ['simulate', 'acme-cart', '--org', 'ORG'],
  ['integration', 'set', '--org', 'ORG', '--platform', 'acme-cart'],
])(
  '%s %s … says of a platform that it does not know which it knows, and how to make it known',
  async (...words) => {
    const printed: string[] = [];
    await runProgram({}, words, {
      out: (text) => printed.push(text),
      err: (text) => printed.push(text),
      fail: () => printed.push('It failed.'),
    });
    const text = printed.join('\n');
    expect(text).toContain("'acme-cart' is invalid");
    expect(text).toMatch(
      /Allowed choices are storefront-a, .*\. Give every command the server’s PLATFORMS\./,
    );
    expect(printed.at(-1)).toBe('It failed.');
  },
);
