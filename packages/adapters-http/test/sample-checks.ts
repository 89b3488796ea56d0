import type { CheckResult, InstallationDoctor, SentTestMail } from '@handover/adapters-http';

/** One of each state, with texts of others that are long. */
export const SAMPLE_CHECKS: readonly CheckResult[] = [
  { area: 'settings', state: 'good', finding: 'All settings can be read.', fix: null },
  { area: 'database', state: 'good', finding: 'PostgreSQL 18 answers.', fix: null },
  {
    area: 'mail',
    state: 'problem',
    finding: 'Signing in at the mail server failed: 535 5.7.8 Error: authentication failed: <b>no</b>.',
    fix: 'Correct user and password in SMTP_URL; characters such as @ and / must be percent-encoded.',
  },
  {
    area: 'files',
    state: 'good',
    finding: 'A file was written, read and deleted in /srv/handover/files.',
    fix: null,
  },
  {
    area: 'dns',
    state: 'good',
    finding:
      'lumen.audio has an SPF record: “v=spf1 include:_spf.google.com include:spf.protection.outlook.com include:amazonses.com ip4:203.0.113.17/32 ip6:2001:db8:17::/48 ~all”',
    fix: null,
  },
  {
    area: 'dns',
    state: 'warning',
    finding: 'lumen.audio has no DMARC record. Large mailbox providers expect one.',
    fix: 'Add a TXT record to _dmarc.lumen.audio, such as “v=DMARC1; p=none; rua=mailto:postmaster@lumen.audio”.',
  },
  {
    area: 'clock',
    state: 'good',
    finding: 'The clocks of this machine and of the database agree.',
    fix: null,
  },
  { area: 'site', state: 'good', finding: 'https://get.lumen.audio leads to this service.', fix: null },
];

/** A doctor with these checks, and a mail server that gives this answer. `mailed`: where test mails went. */
export function createFakeDoctor(
  isOperator: InstallationDoctor['isOperator'],
  answer: SentTestMail = { kind: 'accepted', answer: '250 2.0.0 OK: queued', fix: null },
): InstallationDoctor & { readonly mailed: readonly string[] } {
  const mailed: string[] = [];
  return {
    isOperator,
    check: async () => SAMPLE_CHECKS,
    sendTestMail: async (email) => {
      mailed.push(email);
      return answer;
    },
    mailed,
  };
}
