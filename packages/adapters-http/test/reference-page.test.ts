import { PLATFORMS, SHARED_PLATFORM } from '@handover/domain';
import { storefrontA } from '@handover/platform-storefront-a';
import { describe, expect, test } from 'vitest';
import { describeType } from '../src/reference/describe-type.ts';
import { curlCommand } from '../src/reference/operation-section.ts';
import { openTestShop } from './open-test-shop.ts';
import { listOperations, readDocument } from './read-document.ts';

async function open() {
  const ofOrganisations = PLATFORMS.filter((label) => label !== SHARED_PLATFORM);
  const platforms = ofOrganisations.map((label) => ({ ...storefrontA, label }));
  const testShop = await openTestShop(undefined, { platforms });
  const answer = await testShop.app.inject('/docs');
  return { ...testShop, answer, page: answer.body, document: await readDocument(testShop.app) };
}

function decode(text: string): string {
  return text
    .replace(/<[^>]+>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ');
}

describe('the reference page', () => {
  test('shows every operation with its address, its responses and a command', async () => {
    const { page, document } = await open();
    for (const { operationId, path, method, summary, responses } of listOperations(document)) {
      const start = page.indexOf(`<article class="operation" aria-labelledby="${operationId}">`);
      const text = decode(page.slice(start, page.indexOf('</article>', start)));
      expect(text).toContain(summary);
      expect(text).toContain(`${method} ${path}`);
      for (const status of Object.keys(responses)) expect(text, operationId).toContain(status);
      expect(text).toMatch(/curl 'http:\/\/shop\.test\/|simulate/);
    }
  });

  test('marks only the operations that the specification does not require', async () => {
    const { page, document } = await open();
    for (const { operationId, 'x-handover-addition': added } of listOperations(document)) {
      const start = page.indexOf(`<h3 id="${operationId}">`);
      const head = page.slice(start, page.indexOf('</header>', start));
      expect(head.includes('Handover addition'), operationId).toBe(added === true);
    }
  });

  test('has one h1, landmarks, a skip link, and no broken link within it', async () => {
    const { page } = await open();
    expect(page.match(/<h1/g)).toHaveLength(1);
    for (const part of ['<html lang="en">', '<header', '<nav', 'aria-label="Reference"', '<main>']) {
      expect(page).toContain(part);
    }
    expect(page).toMatch(/<a class="skip" href="#start">/);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(expect.arrayContaining(targets));
  });

  test('needs no script and no other site, and code scrolls by keyboard', async () => {
    const { app, answer, page } = await open();
    expect(page).not.toMatch(/<script|\son\w+=|style="/i);
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'; style-src 'self';/);
    for (const [, address] of page.matchAll(/(?:src|href)="([^"#]+)"/g)) {
      expect(address).toMatch(/^\/[a-z]/);
      expect((await app.inject(address ?? '')).statusCode, address).toBe(200);
    }
    for (const [tag] of page.matchAll(/<pre[^>]*>/g)) expect(tag).toMatch(/tabindex="0".* aria-label="/);
    expect(page).not.toContain('\\n');
    expect(page).not.toContain('undefined');
  });
});

test('shows each type that a field can have', () => {
  const type = describeType({ type: ['string', 'null'], format: 'uuid' });
  expect(String(type)).toBe('string (uuid) or null');
});

describe('a command', () => {
  const base = { operationId: 'x', summary: 'x', description: 'x', tags: [], responses: {} } as const;

  test('quotes the quotes in its examples', () => {
    const operation = {
      ...base,
      security: [],
      'x-handover-access': 'open',
      requestBody: {
        description: '',
        required: true,
        content: { 'application/json': { schema: {}, example: { name: "Ana's" } } },
      },
    } as const;
    expect(curlCommand('http://x', 'POST', '/p', operation)).toBe(
      `curl 'http://x/p' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name":"Ana'\\''s"}'`,
    );
  });

  test('names the method where curl would use another', () => {
    const operation = { ...base, security: [{ bearer: [] }], 'x-handover-access': 'any role' } as const;
    expect(curlCommand('http://x', 'DELETE', '/p', operation)).toBe(
      `curl 'http://x/p' \\\n  -X DELETE \\\n  -H "Authorization: Bearer $KEY"`,
    );
    expect(curlCommand('http://x', 'OPTIONS', '/p', operation)).toContain('-X OPTIONS');
    expect(curlCommand('http://x', 'GET', '/p', operation)).not.toContain('-X');
  });
});
