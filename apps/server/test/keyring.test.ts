import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createApiKeys,
  createKeyring,
  createSecretBox,
  createSecretFingerprints,
  createSourceFingerprints,
} from '../src/keyring/keyring.ts';
import { createDownloadTokens, createInvitationTokens } from '../src/keyring/tokens.ts';

const keyring = createKeyring(['the-first-secret-is-long-enough-1']);
const SITE = 'https://get.example.com';

describe('a download token', () => {
  const tokens = createDownloadTokens(keyring, SITE);
  const [orgId, linkId] = [randomUUID(), randomUUID()];
  const token = tokens.seal(orgId, linkId);

  it('contains organisation and link, and is the same each time', () => {
    expect(tokens.open(token)).toEqual({ orgId, linkId });
    expect(tokens.seal(orgId, linkId)).toBe(token);
    expect(tokens.url(orgId, linkId)).toBe(`${SITE}/d/${token}`);
  });

  it('stays the one that was mailed, whatever computes its MAC', () => {
    const mailed = createDownloadTokens(createKeyring(['a-secret-of-some-length-1']), SITE);
    const token = 'ge7FAY8AAAAAcACAAAAAAAAAAQGPAAAAAHAAgAAAAAAAAAKaqJCsaD8AdO8G_mkCcK0B';
    const ids = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002'] as const;
    expect(mailed.seal(...ids)).toBe(token);
    expect(mailed.open(token)).toEqual({ orgId: ids[0], linkId: ids[1] });
  });

  it('of a library is for one e-mail address, and opens no link', () => {
    const library = tokens.libraryUrl(orgId, linkId, 'Ana@example.com').slice(`${SITE}/my/`.length);
    const opened = tokens.openLibrary(library);
    expect([opened?.orgId, opened?.linkId]).toEqual([orgId, linkId]);
    expect(opened?.isFor(' ana@EXAMPLE.com')).toBe(true);
    expect(opened?.isFor('eva@example.com')).toBe(false);
    expect([tokens.open(library), tokens.openLibrary(token)]).toEqual([null, null]);
    const changed = library.at(-1) === 'A' ? 'B' : 'A';
    expect(tokens.openLibrary(library.slice(0, -1) + changed)).toBeNull();
  });

  it('is refused when any character is changed', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let at = 0; at < token.length; at += 1) {
      for (const character of alphabet) {
        if (character === token[at]) continue;
        expect(tokens.open(token.slice(0, at) + character + token.slice(at + 1))).toBeNull();
      }
    }
  });

  it('has exactly one spelling', () => {
    const others = [
      `${token}=`,
      ` ${token}`,
      `${token}\n`,
      token.replaceAll('-', '+').replaceAll('_', '/'),
      token.slice(1),
    ];
    for (const other of others.filter((text) => text !== token)) expect(tokens.open(other)).toBeNull();
  });

  it('is refused when it is any other text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (junk) => {
        expect(tokens.open(junk)).toBeNull();
      }),
    );
  });

  it('is refused when it is of another installation', () => {
    const other = createDownloadTokens(createKeyring(['another-secret-that-is-long-enough']), SITE);
    expect(other.open(token)).toBeNull();
  });

  it('stays valid at every step of a rotation of the secret', () => {
    const [old, fresh] = ['the-first-secret-is-long-enough-1', 'the-second-secret-is-long-enough'];
    const appended = createDownloadTokens(createKeyring([old, fresh]), SITE);
    const moved = createDownloadTokens(createKeyring([fresh, old]), SITE);
    const dropped = createDownloadTokens(createKeyring([fresh]), SITE);
    expect(moved.open(token)).toEqual({ orgId, linkId });
    expect(appended.open(moved.seal(orgId, linkId))).toEqual({ orgId, linkId });
    expect(dropped.open(moved.seal(orgId, linkId))).toEqual({ orgId, linkId });
    expect(dropped.open(token)).toBeNull();
  });
});

describe('the token of an invitation', () => {
  const tokens = createInvitationTokens(keyring, SITE);
  const [orgId, invitationId] = [randomUUID(), randomUUID()];
  const token = tokens.url(orgId, invitationId).slice(`${SITE}/dashboard/invitations/`.length);

  it('contains organisation and invitation', () => {
    expect(tokens.open(token)).toEqual({ orgId, invitationId });
  });

  it('is refused when any character is changed', () => {
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'x' ? 'y' : 'x';
      expect(tokens.open(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
    }
    for (const other of [`${token}=`, token.slice(1), '']) expect(tokens.open(other)).toBeNull();
  });

  it('is valid for no other purpose, and no other token is valid for it', () => {
    const downloads = createDownloadTokens(keyring, SITE);
    expect(downloads.open(token)).toBeNull();
    expect(tokens.open(downloads.seal(orgId, invitationId))).toBeNull();
    const other = createKeyring(['another-secret-that-is-long-enough']);
    expect(createInvitationTokens(other, SITE).open(token)).toBeNull();
  });
});

describe('a secret box', () => {
  const box = createSecretBox(keyring, 'connection-secret');

  it('opens what it sealed, in the same context only', () => {
    const sealed = box.seal('whsec_ü', 'org/connection');
    expect(box.unseal(sealed, 'org/connection')).toBe('whsec_ü');
    expect(() => box.unseal(sealed, 'org/another')).toThrow();
    expect(box.holds(sealed, 'org/connection', 'whsec_ü')).toBe(true);
    expect(box.holds(sealed, 'org/connection', 'whsec_')).toBe(false);
    expect(() => createSecretBox(keyring, 'api-key').unseal(sealed, 'org/connection')).toThrow();
  });

  it('never produces the same sealed text twice', () => {
    expect(box.seal('x', 'c')).not.toBe(box.seal('x', 'c'));
  });

  it('names the setting to fix when the secret is missing', () => {
    const sealed = box.seal('x', 'c');
    const other = createSecretBox(createKeyring(['another-secret-that-is-long-enough']), 'connection-secret');
    expect(() => other.unseal(sealed, 'c')).toThrow(/HANDOVER_SECRET/);
  });
});

describe('an API key', () => {
  const apiKeys = createApiKeys(createSecretBox(keyring, 'api-key'));

  it('has a prefix of its own, a checksum, and is found by its hash', () => {
    const { key, stored } = apiKeys.mint();
    expect(key).toMatch(/^hnd_[0-9A-Za-z]{38}$/);
    expect(apiKeys.hash(key)).toBe(stored.hash);
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  it('is refused without a query when it is mistyped in any place', () => {
    const { key } = apiKeys.mint();
    for (let at = 0; at < key.length; at += 1) {
      const typo = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);
      expect(apiKeys.hash(typo)).toBeNull();
    }
    for (const junk of ['', 'hnd_', `${key}x`, ` ${key}`]) expect(apiKeys.hash(junk)).toBeNull();
  });

  it('is unique', () => {
    expect(new Set(Array.from({ length: 100 }, () => apiKeys.mint().key)).size).toBe(100);
  });
});

describe('the fingerprint of a secret', () => {
  const fingerprints = createSecretFingerprints(keyring);
  const [orgId, other] = [randomUUID(), randomUUID()];

  it('matches its secret in its organisation only', () => {
    const made = fingerprints.make(orgId, 'hush');
    expect(fingerprints.matches(orgId.toUpperCase(), 'hush', made)).toBe(true);
    expect(fingerprints.matches(orgId, 'hush ', made)).toBe(false);
    expect(fingerprints.matches(other, 'hush', made)).toBe(false);
    for (const text of ['', 'x', made.slice(0, -1), `${made}AAAA`]) {
      expect([text, fingerprints.matches(orgId, 'hush', text)]).toEqual([text, false]);
    }
  });

  it('needs the key that it was made with, at any position in the list', () => {
    const made = fingerprints.make(orgId, 'hush');
    const secrets = ['the-other-secret-is-long-enough-2', 'the-first-secret-is-long-enough-1'];
    expect(createSecretFingerprints(createKeyring(secrets)).matches(orgId, 'hush', made)).toBe(true);
    const [without = ''] = secrets;
    expect(createSecretFingerprints(createKeyring([without])).matches(orgId, 'hush', made)).toBe(false);
    expect(made).not.toContain('hush');
  });
});

describe('the fingerprint of a network', () => {
  const fingerprints = createSourceFingerprints(createKeyring(['one', 'two']));
  const made = fingerprints.make('ORG-1', '203.0.113.7');

  it('is the same for one network and organisation, in any spelling of the organisation’s id', () => {
    expect(fingerprints.make('org-1', '203.0.113.7')).toBe(made);
    expect(fingerprints.make('org-2', '203.0.113.7')).not.toBe(made);
    expect(fingerprints.make('org-1', '203.0.113.8')).not.toBe(made);
  });

  it('cannot be made without our key, and does not show the address', () => {
    expect(createSourceFingerprints(createKeyring(['two'])).make('org-1', '203.0.113.7')).not.toBe(made);
    expect(made).toMatch(/^[\w-]{22}$/);
  });
});
