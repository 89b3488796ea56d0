import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainProblems, readSettings } from '../src/settings/settings.ts';
import { settingsOf } from './settings-of.ts';

const SECRET = 'a-secret-of-at-least-32-characters';

function namesOfProblems(environment: Record<string, string>) {
  const read = readSettings(environment);
  return 'problems' in read ? read.problems.map(({ name }) => name) : [];
}

describe('settings', () => {
  it('have defaults for all of them', () => {
    expect(settingsOf({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      siteUrl: 'http://localhost:3000',
      dataDir: resolve('data'),
      databaseUrl: null,
      databaseReadUrl: null,
      secrets: null,
      mail: { smtpUrl: null, smtpConnections: 12, from: 'Handover <handover@localhost>' },
      files: { kind: 'disk', directory: resolve('data/files') },
      paymentsASecrets: [],
      maxFileSize: 20_000_000_000,
      bodyRetentionDays: 180,
      fileRetentionDays: 30,
      retentionDays: {
        logEntries: null,
        downloads: null,
        activity: null,
        idempotencyKeys: 30,
        proofs: 30,
        signIns: 7,
      },
      metricsToken: null,
      metricsPort: null,
      otlpEndpoint: null,
      stopTimeoutMs: 60_000,
      maxMailsPerHour: 5000,
      role: 'all',
      platforms: [],
      trustProxy: [],
      operators: [],
      isLocalTrial: true,
    });
  });

  it('take a read replica only of a database of their own', () => {
    const own = { DATABASE_URL: 'postgres://db/h', HANDOVER_SECRET: SECRET, FILES_URL: 'file:///srv/files' };
    const databaseReadUrl = 'postgres://standby/h';
    expect(settingsOf({ ...own, DATABASE_READ_URL: databaseReadUrl })).toMatchObject({ databaseReadUrl });
    expect(settingsOf(own).databaseReadUrl).toBe(null);
    expect(namesOfProblems({ DATABASE_READ_URL: databaseReadUrl })).toEqual(['DATABASE_READ_URL']);
    expect(namesOfProblems({ ...own, DATABASE_READ_URL: 'standby' })).toEqual(['DATABASE_READ_URL']);
  });

  it('treat an empty variable as absent', () => {
    expect(settingsOf({ PORT: '', DATABASE_URL: ' ', ROLE: '' })).toEqual(settingsOf({}));
  });

  it('want a metrics token that cannot be guessed, and a port that exists', () => {
    const metrics = { metricsToken: 'a-token-of-a-scraper', metricsPort: 0 };
    const given = { METRICS_TOKEN: metrics.metricsToken, METRICS_PORT: '0' };
    expect(settingsOf(given)).toMatchObject(metrics);
    for (const token of ['short', 'a token of a scraper']) {
      expect(namesOfProblems({ METRICS_TOKEN: token })).toEqual(['METRICS_TOKEN']);
    }
    const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT';
    expect(namesOfProblems({ [endpoint]: 'collector:4318' })).toEqual([endpoint]);
    for (const port of ['x', '65536', '-1'])
      expect(namesOfProblems({ METRICS_PORT: port })).toEqual(['METRICS_PORT']);
  });

  it('want two ports for pages and metrics, unless the process serves no pages', () => {
    const same = { PORT: '8080', METRICS_PORT: '8080' };
    expect(namesOfProblems(same)).toEqual(['METRICS_PORT']);
    expect(namesOfProblems({ METRICS_PORT: '3000' })).toEqual(['METRICS_PORT']);
    expect(settingsOf({ ...same, ROLE: 'worker' })).toMatchObject({ metricsPort: 8080 });
    expect(settingsOf({ PORT: '0', METRICS_PORT: '0' })).toMatchObject({ metricsPort: 0 });
  });

  it('list the operators, whose addresses are compared without case', () => {
    expect(settingsOf({ OPERATOR_EMAILS: 'Ana@Example.com, jo@example.com' }).operators).toEqual([
      'ana@example.com',
      'jo@example.com',
    ]);
    expect(namesOfProblems({ OPERATOR_EMAILS: 'ana' })).toEqual(['OPERATOR_EMAILS']);
  });

  it('list platforms of other teams with commas', () => {
    expect(settingsOf({ PLATFORMS: '@acme/handover-gumtree, ./bazaar.js' }).platforms).toEqual([
      '@acme/handover-gumtree',
      './bazaar.js',
    ]);
  });

  it('follow PORT in the address of the service', () => {
    expect(settingsOf({ PORT: '8080' }).siteUrl).toBe('http://localhost:8080');
    expect(settingsOf({ PORT: '8080', SITE_URL: 'http://127.0.0.1/shop/' }).siteUrl).toBe(
      'http://127.0.0.1/shop',
    );
  });

  it('of a real installation are read as given', () => {
    const settings = settingsOf({
      SITE_URL: 'https://get.example.com',
      DATABASE_URL: 'postgresql://h:p@db/handover',
      HANDOVER_SECRET: `${SECRET}-2, ${SECRET}-1`,
      FILES_URL: 'file:///srv/my%20files',
      SMTP_URL: 'smtps://u:p@mail.example.com',
      SMTP_CONNECTIONS: '30',
      MAIL_FROM: 'Lumen Audio <orders@example.com>',
      ROLE: 'web',
      TRUST_PROXY: '10.0.0.0/8, ::1',
    });
    expect(settings).toMatchObject({
      secrets: [`${SECRET}-2`, `${SECRET}-1`],
      mail: { smtpUrl: 'smtps://u:p@mail.example.com', smtpConnections: 30 },
      files: { kind: 'disk', directory: '/srv/my files' },
      role: 'web',
      trustProxy: ['10.0.0.0/8', '::1'],
      isLocalTrial: false,
    });
  });

  it('accept a bucket for files, with its region and endpoint', () => {
    expect(settingsOf({ FILES_URL: 's3://lumen-files', AWS_REGION: 'eu-central-1' }).files).toEqual({
      kind: 's3',
      presigned: false,
      place: {
        bucket: 'lumen-files',
        prefix: '',
        region: 'eu-central-1',
        endpoint: null,
        credentials: null,
      },
    });
    const url = 's3://files/shop/one/?endpoint=https://minio.example.com/&downloads=presigned';
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'x', AWS_SESSION_TOKEN: 'y' };
    expect(settingsOf({ FILES_URL: url, ...keys }).files).toEqual({
      kind: 's3',
      presigned: true,
      place: {
        bucket: 'files',
        prefix: 'shop/one/',
        region: 'us-east-1',
        endpoint: 'https://minio.example.com',
        credentials: { accessKeyId: 'id', secretAccessKey: 'x', sessionToken: 'y' },
      },
    });
  });

  it('are all named at once if they are missing', () => {
    const environment = { SITE_URL: 'https://get.example.com', DATABASE_URL: 'postgres://db/h' };
    expect(namesOfProblems(environment)).toEqual(['HANDOVER_SECRET', 'SMTP_URL', 'MAIL_FROM', 'FILES_URL']);
  });

  it.each([
    ['1048576', 1_048_576],
    ['20GB', 20_000_000_000],
    ['20 GiB', 20 * 1024 ** 3],
    ['1.5gb', 1_500_000_000],
    ['500MB', 500_000_000],
    ['64KiB', 65_536],
    ['2tb', 2_000_000_000_000],
    ['7B', 7],
  ])('read the size of files %s as %i bytes', (text, bytes) => {
    expect(settingsOf({ MAX_FILE_SIZE: text }).maxFileSize).toBe(bytes);
  });

  it('allow files as large as a bucket takes, and larger ones on a disk', () => {
    const FILES_URL = 's3://bucket?region=x';
    expect(settingsOf({ FILES_URL, MAX_FILE_SIZE: '83886080000' }).maxFileSize).toBe(83_886_080_000);
    expect(settingsOf({ MAX_FILE_SIZE: '100GB' }).maxFileSize).toBe(100_000_000_000);
  });

  it('are all named in one message if they are wrong', () => {
    const read = readSettings({
      PORT: '70000',
      SITE_URL: 'get.example.com',
      DATABASE_URL: 'mysql://db',
      HANDOVER_SECRET: 'short',
      SMTP_URL: 'mail.example.com',
      MAIL_FROM: 'somebody',
      FILES_URL: '/srv/files',
      ROLE: 'both',
      TRUST_PROXY: 'proxy.example.com',
    });
    const message = 'problems' in read ? explainProblems(read.problems) : '';
    expect(message).toMatch(/^9 settings need you:\n/);
    for (const name of ['PORT', 'SITE_URL', 'DATABASE_URL', 'HANDOVER_SECRET', 'SMTP_URL', 'MAIL_FROM']) {
      expect(message).toContain(`\n  ${name} must`);
    }
    for (const name of ['FILES_URL', 'ROLE', 'TRUST_PROXY']) expect(message).toContain(`\n  ${name} must`);
  });

  it('set the retention of each kind, of log entries no shorter than that of bodies', () => {
    const settings = settingsOf({
      BODY_RETENTION_DAYS: '10',
      FILE_RETENTION_DAYS: '9',
      LOG_RETENTION_DAYS: '10',
      DOWNLOAD_RETENTION_DAYS: '400',
      ACTIVITY_RETENTION_DAYS: '401',
      IDEMPOTENCY_RETENTION_DAYS: '7',
      PROOF_RETENTION_DAYS: '2',
      SIGN_IN_RETENTION_DAYS: '8',
    });
    expect(settings.bodyRetentionDays).toBe(10);
    expect(settings.fileRetentionDays).toBe(9);
    expect(settings.retentionDays).toEqual({
      logEntries: 10,
      downloads: 400,
      activity: 401,
      idempotencyKeys: 7,
      proofs: 2,
      signIns: 8,
    });
  });

  it.each([
    ['HANDOVER_SECRET', { HANDOVER_SECRET: `${SECRET},` }],
    ['SITE_URL', { SITE_URL: 'ftp://localhost' }],
    ['SITE_URL', { SITE_URL: 'http://localhost/?x=1' }],
    ['SITE_URL', { SITE_URL: 'http://localhost/?' }],
    ['SITE_URL', { SITE_URL: 'http://localhost/#' }],
    ['SITE_URL', { SITE_URL: 'http://:password@localhost' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://' }],
    ['SMTP_URL', { SMTP_URL: 'smtp:mail.example.com' }],
    ['PORT', { PORT: '3e3' }],
    ['MAIL_FROM', { MAIL_FROM: 'a@b\r\nBcc: x@y' }],
    ['FILES_URL', { FILES_URL: 's3://' }],
    ['FILES_URL', { FILES_URL: 's3://bucket' }],
    ['MAX_FILE_SIZE', { MAX_FILE_SIZE: '0' }],
    ['MAX_FILE_SIZE', { MAX_FILE_SIZE: '-5GB' }],
    ['MAX_FILE_SIZE', { MAX_FILE_SIZE: '20 bananas' }],
    ['MAX_FILE_SIZE', { MAX_FILE_SIZE: 'GB' }],
    ['MAX_FILE_SIZE', { MAX_FILE_SIZE: '99999999TB' }],
    ['MAX_FILE_SIZE', { FILES_URL: 's3://bucket?region=x', MAX_FILE_SIZE: '83886080001' }],
    ['BODY_RETENTION_DAYS', { BODY_RETENTION_DAYS: '0' }],
    ['BODY_RETENTION_DAYS', { BODY_RETENTION_DAYS: '7.5' }],
    ['FILE_RETENTION_DAYS', { FILE_RETENTION_DAYS: '6' }],
    ['LOG_RETENTION_DAYS', { LOG_RETENTION_DAYS: '179' }],
    ['LOG_RETENTION_DAYS', { LOG_RETENTION_DAYS: 'never' }],
    ['DOWNLOAD_RETENTION_DAYS', { DOWNLOAD_RETENTION_DAYS: '0' }],
    ['ACTIVITY_RETENTION_DAYS', { ACTIVITY_RETENTION_DAYS: '36501' }],
    ['IDEMPOTENCY_RETENTION_DAYS', { IDEMPOTENCY_RETENTION_DAYS: '6' }],
    ['PROOF_RETENTION_DAYS', { PROOF_RETENTION_DAYS: '1' }],
    ['SIGN_IN_RETENTION_DAYS', { SIGN_IN_RETENTION_DAYS: '6' }],
    ['STOP_TIMEOUT_SECONDS', { STOP_TIMEOUT_SECONDS: '4' }],
    ['STOP_TIMEOUT_SECONDS', { STOP_TIMEOUT_SECONDS: '1m' }],
    ['MAX_MAILS_PER_HOUR', { MAX_MAILS_PER_HOUR: '0' }],
    ['MAX_MAILS_PER_HOUR', { MAX_MAILS_PER_HOUR: 'many' }],
    ['SMTP_CONNECTIONS', { SMTP_CONNECTIONS: '0' }],
    ['SMTP_CONNECTIONS', { SMTP_CONNECTIONS: '65' }],
    ['SMTP_CONNECTIONS', { SMTP_CONNECTIONS: 'many' }],
    ['FILES_URL', { FILES_URL: 's3://bucket/a*b?region=x' }],
    ['FILES_URL', { FILES_URL: 's3://bucket/a%20b?region=x' }],
    ['FILES_URL', { FILES_URL: 's3://bucket?region=x&acl=public' }],
    ['FILES_URL', { FILES_URL: 's3://bucket?region=x&endpoint=minio:9000' }],
    ['FILES_URL', { FILES_URL: 's3://bucket?region=x&downloads=fast' }],
    ['AWS_SECRET_ACCESS_KEY', { FILES_URL: 's3://bucket?region=x', AWS_ACCESS_KEY_ID: 'id' }],
    ['AWS_ACCESS_KEY_ID', { FILES_URL: 's3://bucket?region=x', AWS_SECRET_ACCESS_KEY: 'x' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.1/99' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.1,' }],
    ['TRUST_PROXY', { TRUST_PROXY: '::1/129' }],
    ['PLATFORMS', { PLATFORMS: ',' }],
    ['PLATFORMS', { PLATFORMS: '@acme/handover-gumtree,' }],
    ['PAYMENTS_A_SIGNING_SECRET', { PAYMENTS_A_SIGNING_SECRET: 'whsec_1' }],
    ['PAYMENTS_A_SIGNING_SECRET', { PAYMENTS_A_SIGNING_SECRET: 'whsec_long-enough,whsec_1' }],
  ])('refuse a wrong %s: %j', (name, environment) => {
    expect(namesOfProblems(environment)).toEqual([name]);
  });

  it('require no mail server if SITE_URL is on this machine, even if HOST is not', () => {
    expect(settingsOf({ HOST: '0.0.0.0', SITE_URL: 'http://localhost:3000' }).mail.smtpUrl).toBeNull();
    expect(namesOfProblems({ SITE_URL: 'http://127.example.com' })).toEqual(['SMTP_URL', 'MAIL_FROM']);
  });

  it('never repeat a secret in a message', () => {
    const read = readSettings({
      HANDOVER_SECRET: 'hunter2',
      SMTP_URL: 'mail:hunter2@x',
      DATABASE_URL: 'hunter2',
      FILES_URL: 's3://id:hunter2@bucket',
    });
    expect(JSON.stringify(read)).not.toContain('hunter2');
  });
});
