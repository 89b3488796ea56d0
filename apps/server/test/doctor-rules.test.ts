import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateFindings } from '../src/doctor/evaluate-findings.ts';
import type { DnsFindings, Findings } from '../src/doctor/findings.ts';

const NOTHING: Findings = {
  settings: [],
  exposure: null,
  database: null,
  mail: null,
  files: null,
  dns: null,
  site: null,
  secrets: null,
};
const SECRETS = { place: 'DATA_DIR/secret', keyNumbers: ['aaaa'] } as const;
const DATABASE = {
  versionNumber: 180_004,
  schema: { kind: 'current' },
  sealed: [],
  clockOffsetMs: 0,
  writes: 'taken',
  oldestDueJobMs: 0,
} as const;
const DNS: DnsFindings = {
  domain: 'shop.org',
  spf: ['v=spf1 include:mail.org ~all'],
  dkim: { asked: ['default'], found: ['default'] },
  dmarc: ['v=DMARC1; p=none'],
};

/** The results that are not good, without those of parts that were not looked at. */
function evaluate(changes: Partial<Findings>): readonly string[] {
  return evaluateFindings({ ...NOTHING, ...changes })
    .filter(({ state }) => state !== 'good')
    .map(({ area, state, finding }) => `${area} ${state}: ${finding}`);
}

describe('the rules of the doctor', () => {
  it('find nothing to fix where all is well', () => {
    const well: Findings = {
      settings: [],
      exposure: { isPublic: true, isHttps: true, isBehindProxy: true, trustsProxy: true },
      database: DATABASE,
      mail: { kind: 'mailed', to: 'me@shop.org', answer: { kind: 'accepted', answer: '250 OK' } },
      files: { place: '/srv/files', error: null },
      dns: DNS,
      site: { url: 'https://get.shop.org', isLoopback: false, answer: 'ours' },
      secrets: SECRETS,
    };
    expect(evaluate(well)).toEqual([]);
    expect(new Set(evaluateFindings(well).map(({ area }) => area)).size).toBe(7);
  });

  it('name each setting that is wrong', () => {
    expect(evaluate({ settings: [{ name: 'PORT', problem: 'must be a number' }] })).toEqual([
      'settings problem: PORT must be a number.',
    ]);
  });

  it('warn of an address without TLS, and of a proxy that hides who asks, where others come in', () => {
    const careless = { isHttps: false, isBehindProxy: true, trustsProxy: false };
    expect(evaluate({ exposure: { ...careless, isPublic: true } })).toEqual([
      expect.stringMatching(/^settings warning: SITE_URL is not https/),
      expect.stringMatching(/^settings warning: .*TRUST_PROXY is not set/),
    ]);
    expect(evaluate({ exposure: { ...careless, isPublic: false } })).toEqual([]);
    expect(
      evaluate({ exposure: { ...careless, isPublic: true, isHttps: true, isBehindProxy: false } }),
    ).toEqual([]);
  });

  it.each<[string, Findings['database'], readonly string[]]>([
    [
      'that is away',
      { error: 'ECONNREFUSED' },
      ['database problem: The database does not answer: ECONNREFUSED'],
    ],
    ['that is old', { ...DATABASE, versionNumber: 140_010 }, ['database problem: PostgreSQL 14 is too old.']],
    [
      'whose disk is full',
      { ...DATABASE, writes: 'disk-full' },
      ['database problem: It answers, but takes no writes: its disk is full.'],
    ],
    [
      'that is read-only',
      { ...DATABASE, writes: 'read-only' },
      ['database problem: It answers, but takes no writes: it is read-only.'],
    ],
    [
      'without its last migrations',
      { ...DATABASE, schema: { kind: 'older', pending: ['0003-x'] } },
      ['database problem: Its tables lack 0003-x.'],
    ],
    ['that is new', { ...DATABASE, schema: { kind: 'empty' } }, ['database warning: It has no tables yet.']],
    [
      'whose clock is a little off',
      { ...DATABASE, clockOffsetMs: -5_000 },
      ['clock warning: The clock of this machine is 5 s behind the database’s.'],
    ],
    [
      'whose clock is far off',
      { ...DATABASE, clockOffsetMs: 90_000 },
      ['clock problem: The clock of this machine is 90 s ahead of the database’s.'],
    ],
  ])('evaluate a database %s', (_name, database, expected) => {
    expect(evaluate({ database })).toEqual(expected);
  });

  it.each<[string, Findings['secrets'], readonly string[]]>([
    ['that decrypts everything', { ...SECRETS, keyNumbers: ['aaaa', 'bbbb'] }, []],
    [
      'that is lost',
      { ...SECRETS, keyNumbers: null },
      ['settings problem: DATA_DIR/secret is missing: it holds the secret that encrypts what is stored.'],
    ],
    [
      'that is damaged',
      { place: 'DATA_DIR/secret', error: 'It is empty.', fix: 'Restore it.' },
      ['settings problem: It is empty.'],
    ],
    [
      'that is another one',
      { ...SECRETS, keyNumbers: ['cccc'] },
      [
        'settings problem: 1 webhook secret was encrypted with a secret that is not in DATA_DIR/secret: the server does not start.',
        'settings warning: 2 API keys were encrypted with a secret that is not in DATA_DIR/secret: they work, and are not shown.',
      ],
    ],
  ])('evaluate a secret %s', (_name, secrets, expected) => {
    const sealed = [
      { what: 'api-key', keyNumber: 'aaaa', count: 2 },
      { what: 'connection-secret', keyNumber: 'bbbb', count: 1 },
    ] as const;
    expect(evaluate({ database: { ...DATABASE, sealed }, secrets })).toEqual(expected);
  });

  it('do not miss a secret while nothing is encrypted with it', () => {
    expect(evaluate({ database: DATABASE, secrets: { ...SECRETS, keyNumbers: null } })).toEqual([]);
  });

  it.each<[string, Findings['mail'], string]>([
    [
      'only keeps files',
      { kind: 'files', isTrial: false },
      'mail problem: Mails are only kept as files: no buyer gets any.',
    ],
    [
      'refuses the password',
      { kind: 'failed', at: 'sign-in', answer: '535 authentication failed' },
      'mail problem: 535 authentication failed',
    ],
    [
      'refuses a test mail',
      { kind: 'mailed', to: 'me@shop.org', answer: { kind: 'refused', answer: '550 no' } },
      'mail problem: The mail server did not accept a test mail to me@shop.org: “550 no”',
    ],
  ])('evaluate mail that %s', (_name, mail, expected) => {
    expect(evaluate({ mail })).toEqual([expected]);
  });

  it('advise on the password where signing in fails, and on the address where nobody answers', () => {
    const advise = (at: 'sign-in' | 'connection') =>
      evaluateFindings({ ...NOTHING, mail: { kind: 'failed', at, answer: 'No.' } }).at(-1)?.fix;
    expect(advise('sign-in')).toContain('password');
    expect(advise('connection')).toContain('port');
  });

  it.each<[string, Partial<DnsFindings>, readonly RegExp[]]>([
    ['no SPF record but a DKIM key', { spf: [] }, [/^dns warning: .* no SPF record/]],
    [
      'neither SPF nor DKIM',
      { spf: [], dkim: { asked: ['default'], found: [] } },
      [/^dns problem: .* no SPF record/, /^dns warning: No DKIM key/],
    ],
    ['two SPF records', { spf: ['v=spf1 -all', 'v=spf1 ~all'] }, [/^dns problem: .* 2 SPF records/]],
    ['an SPF record that lets anyone send', { spf: ['v=spf1 +all'] }, [/^dns problem: .* lets anyone send/]],
    ['no DMARC record', { dmarc: [] }, [/^dns warning: .* no DMARC record/]],
    [
      'two DMARC records',
      { dmarc: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] },
      [/^dns problem: .* 2 DMARC/],
    ],
    ['a resolver that is silent', { spf: { error: 'ETIMEOUT' } }, [/^dns warning: Nobody could be asked/]],
  ])('evaluate a domain with %s', (_name, changes, expected) => {
    const found = evaluate({ dns: { ...DNS, ...changes } });
    expect(found).toHaveLength(expected.length);
    for (const [at, pattern] of expected.entries()) expect(found[at]).toMatch(pattern);
  });

  it('advise otherwise on a mail server that refuses only for now, or the connection itself', () => {
    const adviseOn = (mail: Findings['mail']) => evaluateFindings({ ...NOTHING, mail }).at(-1)?.fix;
    const adviseOnTest = (answer: string) =>
      adviseOn({ kind: 'mailed', to: 'me@shop.org', answer: { kind: 'try-again', answer } });
    expect(adviseOnTest('451 4.7.1 Greylisted')).toContain('try again in some minutes');
    expect(adviseOnTest('550 5.7.1 Sender blocked')).toContain('MAIL_FROM');
    const answer = '421 4.3.2 Too busy';
    expect(adviseOn({ kind: 'failed', at: 'connection', answer })).toContain('SMTP_CONNECTIONS');
  });

  it('notice that no worker takes jobs', () => {
    expect(evaluate({ database: { ...DATABASE, oldestDueJobMs: 119_000 } })).toEqual([]);
    expect(evaluate({ database: { ...DATABASE, oldestDueJobMs: 190_000 } })).toEqual([
      'database problem: A job has been due for 3 minutes, and no process took it: orders or receipts wait.',
    ]);
  });

  it('promise only what is so about orders while the database is away', () => {
    const results = evaluateFindings({ ...NOTHING, database: { error: 'ECONNREFUSED' } });
    expect(results.at(-1)?.fix).toContain('not every shop sends them again');
    const full = { error: 'ENOSPC: no space left on device, write' };
    expect(evaluateFindings({ ...NOTHING, database: full }).at(-1)?.fix).toContain('Free space');
  });

  it('evaluate where the public address leads', () => {
    const site = { url: 'https://get.shop.org', isLoopback: false } as const;
    expect(evaluate({ site: { ...site, answer: { status: 404 } } })).toEqual([
      'site problem: https://get.shop.org/healthz does not answer as this service does: status 404.',
    ]);
    expect(evaluate({ site: { url: 'http://localhost:3000', isLoopback: true, answer: 'ours' } })[0]).toMatch(
      /^site warning/,
    );
  });

  it('evaluate files that cannot be kept', () => {
    expect(evaluate({ files: { place: '/srv/files', error: 'EACCES' } })).toEqual([
      'files problem: A file could not be written, read and deleted in /srv/files: EACCES',
    ]);
  });

  it('say what to do about everything that is not good, and about nothing else', () => {
    const failed = fc.record({ error: fc.constant('no') });
    const texts = fc.array(fc.constantFrom('v=spf1 -all', 'v=spf1 +all'), { maxLength: 3 });
    const dkim = fc.record({ asked: fc.constant(['a']), found: fc.constantFrom([], ['a']) });
    const dns = fc.record({
      domain: fc.constant('shop.org'),
      spf: fc.oneof(texts, failed),
      dkim: fc.oneof(dkim, failed),
      dmarc: fc.oneof(texts, failed),
    });
    const clockOffsetMs = fc.integer({ min: -1e6, max: 1e6 });
    fc.assert(
      fc.property(dns, clockOffsetMs, (found, offset) => {
        const database = { ...DATABASE, clockOffsetMs: offset };
        const results = evaluateFindings({ ...NOTHING, dns: found, database });
        expect(results.filter(({ state, fix }) => (state === 'good') !== (fix === null))).toEqual([]);
      }),
    );
  });
});
