import type { CheckResult } from '@handover/adapters-http';
import { bad, type DnsFindings, good, warn } from './findings.ts';

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
