import type { CheckResult, SentTestMail } from '@handover/adapters-http';
import type { MailProbe } from '@handover/adapters-mail';
import { evaluateDatabase } from './evaluate-database.ts';
import { evaluateSecrets } from './evaluate-secrets.ts';
import {
  bad,
  type DnsFindings,
  type Exposure,
  type Findings,
  good,
  type SiteFinding,
  warn,
} from './findings.ts';

/** What each finding means and what to do about it. Pure: the same findings give the same results. */
export function evaluateFindings(findings: Findings): readonly CheckResult[] {
  const { settings, exposure, database, mail, files, dns, site, secrets } = findings;
  return [
    ...(settings.length === 0
      ? [good('settings', 'All settings can be read.')]
      : settings.map(({ name, problem }) =>
          bad('settings', `${name} ${problem}.`, `Correct ${name} in the environment, and restart.`),
        )),
    ...(exposure ? evaluateExposure(exposure) : []),
    ...(database ? evaluateDatabase(database) : []),
    ...(secrets && database && !('error' in database) ? evaluateSecrets(secrets, database.sealed) : []),
    ...(mail ? [evaluateMail(mail)] : []),
    ...(files ? [evaluateFiles(files)] : []),
    ...(dns ? evaluateDns(dns) : []),
    ...(database && !('error' in database) ? [evaluateClock(database.clockOffsetMs)] : []),
    ...(site ? [evaluateSite(site)] : []),
  ];
}

function evaluateExposure({
  isPublic,
  isHttps,
  isBehindProxy,
  trustsProxy,
}: Exposure): readonly CheckResult[] {
  if (!isPublic) return [];
  const unencrypted = warn(
    'settings',
    'SITE_URL is not https: links, cookies and webhooks cross the network unencrypted.',
    'Put a proxy with TLS in front, and give SITE_URL its https address.',
  );
  const unknown = warn(
    'settings',
    'HOST is on loopback and TRUST_PROXY is not set: all clients seem to have the proxy’s address, and share its limits.',
    'Set TRUST_PROXY to the address of the proxy, such as 127.0.0.1.',
  );
  return [...(isHttps ? [] : [unencrypted]), ...(isBehindProxy && !trustsProxy ? [unknown] : [])];
}

/** What became of a test mail. */
export function classifyTestMail(mail: MailFinding): SentTestMail {
  const { finding, fix } = evaluateMail(mail);
  if (mail.kind !== 'mailed') return { kind: 'not-sent', answer: finding, fix };
  const { kind, answer } = mail.answer;
  return { kind: kind === 'accepted' ? 'accepted' : 'refused', answer, fix };
}

type MailFinding = NonNullable<Findings['mail']>;

function evaluateMail(mail: MailFinding): CheckResult {
  switch (mail.kind) {
    case 'files':
      return mail.isTrial
        ? good('mail', 'Mails are kept as files, and shown at /dev/mail.')
        : bad('mail', 'Mails are only kept as files: no buyer gets any.', 'Set SMTP_URL and MAIL_FROM.');
    case 'ready':
      return good('mail', 'The mail server answers, and takes our credentials. No mail was sent.');
    case 'failed':
      return bad('mail', mail.answer, adviseOnConnection(mail));
    case 'mailed':
      return evaluateTestMail(mail);
  }
}

function adviseOnConnection({ at, answer }: Extract<MailProbe, { readonly kind: 'failed' }>): string {
  if (at === 'sign-in')
    return 'Correct user and password in SMTP_URL; characters such as @ and / must be percent-encoded.';
  return /^[45]\d\d\b/.test(answer)
    ? 'It answers, and refuses the connection: ask its operator why, or lower SMTP_CONNECTIONS if there are too many.'
    : 'Check host, port and protocol in SMTP_URL (smtps:// for port 465), and that no firewall blocks the port.';
}

function evaluateTestMail({ to, answer }: Extract<MailProbe, { readonly kind: 'mailed' }>): CheckResult {
  if (answer.kind === 'accepted') {
    return good('mail', `The mail server accepted a test mail to ${to}: “${answer.answer}”`);
  }
  return bad(
    'mail',
    `The mail server did not accept a test mail to ${to}: “${answer.answer}”`,
    answer.answer.startsWith('4')
      ? 'It refuses only for now: try again in some minutes, as receipts are for three days. Ask its operator if it goes on.'
      : 'Ask its operator whether it may send from the address in MAIL_FROM, and to other domains.',
  );
}

function evaluateFiles({ place, error }: NonNullable<Findings['files']>): CheckResult {
  return error === null
    ? good('files', `A file was written, read and deleted in ${place}.`)
    : bad(
        'files',
        `A file could not be written, read and deleted in ${place}: ${error}`,
        'Check FILES_URL, the credentials and permissions, and the free space.',
      );
}

const HARMLESS_MS = 2_000;
const HARMFUL_MS = 60_000;

function evaluateClock(offsetMs: number): CheckResult {
  const off = Math.abs(offsetMs);
  if (off <= HARMLESS_MS) return good('clock', 'The clocks of this machine and of the database agree.');
  const finding = `The clock of this machine is ${Math.round(off / 1000)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the database’s.`;
  const fix = 'Let both machines set their clocks by NTP (systemd-timesyncd or chrony).';
  return off <= HARMFUL_MS ? warn('clock', finding, fix) : bad('clock', finding, fix);
}

function evaluateSite({ url, isLoopback, answer }: SiteFinding): CheckResult {
  if (answer === 'ours') {
    return isLoopback
      ? warn(
          'site',
          `${url} answers, and only on this machine: no shop or buyer reaches it.`,
          'For a real shop, set SITE_URL to the address that a proxy with TLS serves.',
        )
      : good('site', `${url} leads to this service.`);
  }
  const said = 'error' in answer ? answer.error : `status ${answer.status}`;
  return bad(
    'site',
    `${url}/healthz does not answer as this service does: ${said}.`,
    isLoopback
      ? 'Start the server, or correct SITE_URL.'
      : 'Check that the server runs, that DNS and the proxy of SITE_URL lead to it, and its certificate.',
  );
}

/** Whether receivers can tell that mails of the sender's domain are genuine. */
export function evaluateDns(dns: DnsFindings): readonly CheckResult[] {
  return [evaluateSpf(dns), evaluateDkim(dns), evaluateDmarc(dns)];
}

function evaluateSpf({ domain, spf, dkim }: DnsFindings): CheckResult {
  if ('error' in spf) return unasked(`the SPF record of ${domain}`, spf.error);
  const [record, ...more] = spf;
  if (record === undefined) {
    const finding = `${domain} has no SPF record.`;
    const fix = `Add a TXT record to ${domain}, such as “v=spf1 include:<your mail provider> ~all”; the provider names it.`;
    const hasKey = !('error' in dkim) && dkim.found.length > 0;
    return hasKey ? warn('dns', finding, fix) : bad('dns', `${finding} Receivers may refuse its mails.`, fix);
  }
  if (more.length > 0) {
    return bad(
      'dns',
      `${domain} has ${spf.length} SPF records, so receivers ignore all of them.`,
      'Join them into one TXT record.',
    );
  }
  if (/\s\+?all\b/i.test(record)) {
    return bad(
      'dns',
      `The SPF record of ${domain} lets anyone send: “${record}”`,
      'End it with ~all or -all.',
    );
  }
  return good('dns', `${domain} has an SPF record: “${record}”`);
}

function evaluateDkim({ domain, dkim }: DnsFindings): CheckResult {
  if ('error' in dkim) return unasked(`the DKIM key of ${domain}`, dkim.error);
  const [selector] = dkim.found;
  if (selector !== undefined)
    return good('dns', `${domain} has a DKIM key: ${selector}._domainkey.${domain}.`);
  const named =
    dkim.asked.length === 1 ? `${dkim.asked[0]}._domainkey.${domain}` : 'any of the usual selectors';
  return warn(
    'dns',
    `No DKIM key of ${domain} was found at ${named}.`,
    'Publish the key that your mail provider names. If it has one, give its selector: --dkim-selector.',
  );
}

function evaluateDmarc({ domain, dmarc }: DnsFindings): CheckResult {
  if ('error' in dmarc) return unasked(`the DMARC record of ${domain}`, dmarc.error);
  const [record, ...more] = dmarc;
  if (record === undefined) {
    return warn(
      'dns',
      `${domain} has no DMARC record. Large mailbox providers expect one.`,
      `Add a TXT record to _dmarc.${domain}, such as “v=DMARC1; p=none; rua=mailto:postmaster@${domain}”.`,
    );
  }
  if (more.length > 0) {
    return bad(
      'dns',
      `${domain} has ${dmarc.length} DMARC records, so receivers ignore them.`,
      'Keep one of them.',
    );
  }
  return good('dns', `${domain} has a DMARC record: “${record}”`);
}

function unasked(what: string, error: string): CheckResult {
  return warn(
    'dns',
    `Nobody could be asked for ${what}: ${error}.`,
    'Check the DNS resolver of this machine.',
  );
}
