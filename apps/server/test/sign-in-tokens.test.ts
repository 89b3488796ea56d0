import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeyring, createSigningSecrets } from '../src/keyring/keyring.ts';
import { createDownloadTokens, createSessionTokens, createSignInTokens } from '../src/keyring/tokens.ts';

const [OLD, NEW] = ['the-first-secret-is-long-enough-1', 'the-second-secret-is-long-enough2'];
const SITE = 'https://get.example.com';

function tokenOf(url: string): string {
  return url.slice(`${SITE}/dashboard/sign-in/`.length);
}

describe('a sign-in token', () => {
  const tokens = createSignInTokens(createKeyring([OLD]), SITE);
  const id = randomUUID();
  const token = tokenOf(tokens.url(id));

  it('returns its id, in one spelling only', () => {
    expect(tokens.open(token)).toBe(id);
    for (const other of [`${token}=`, ` ${token}`, token.slice(1), token.replaceAll('-', '+')]) {
      if (other !== token) expect(tokens.open(other)).toBeNull();
    }
  });

  it('is refused when any character is changed', () => {
    for (let at = 0; at < token.length; at += 1) {
      const changed = token[at] === 'A' ? 'B' : 'A';
      expect(tokens.open(token.slice(0, at) + changed + token.slice(at + 1))).toBeNull();
    }
  });

  it('is valid while its secret is listed, and for no other purpose', () => {
    expect(createSignInTokens(createKeyring([NEW, OLD]), SITE).open(token)).toBe(id);
    expect(createSignInTokens(createKeyring([NEW]), SITE).open(token)).toBeNull();
    const downloads = createDownloadTokens(createKeyring([OLD]), SITE);
    expect(downloads.open(token)).toBeNull();
    expect(tokens.open(downloads.seal(randomUUID(), id))).toBeNull();
  });
});

describe('a session token', () => {
  const tokens = createSessionTokens();

  it('is new each time, and found by its hash', () => {
    const [one, other] = [tokens.mint(), tokens.mint()];
    expect(one.token).not.toBe(other.token);
    expect(tokens.hash(one.token)).toBe(one.hash);
    expect(one.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('costs no query if it is malformed', () => {
    for (const junk of ['', 'x', `${tokens.mint().token}=`, 'ä'.repeat(44)])
      expect(tokens.hash(junk)).toBeNull();
  });
});

it('a signing secret differs for each purpose, is stable for one, and needs no escaping in a URL', () => {
  const secrets = createSigningSecrets(createKeyring(['a'.repeat(32)]));
  const elsewhere = createSigningSecrets(createKeyring(['b'.repeat(32)]));
  const one = secrets.make('org', ['shop', 'first']);
  expect(secrets.make('org', ['shop', 'first'])).toBe(one);
  const others = [
    secrets.make('org', ['shop', 'second']),
    secrets.make('org', ['shopfirst']),
    secrets.make('other', ['shop', 'first']),
    elsewhere.make('org', ['shop', 'first']),
  ];
  expect(new Set([one, ...others]).size).toBe(5);
  expect(one).toMatch(/^[\w-]{32}$/);
});
