import { Resolver } from 'node:dns/promises';
import { probeBucket, probeDisk } from '@handover/adapters-files';
import { type CheckResult, type InstallationDoctor, isLoopbackHost } from '@handover/adapters-http';
import { probeMailServer, readSender } from '@handover/adapters-mail';
import { examineDatabase } from '@handover/adapters-postgres';
import { normalizeEmail } from '@handover/domain';
import { findGeneratedSecret, SecretFileError, secretPath } from '../composition/generated-secret.ts';
import { readFetchFailure } from '../composition/read-fetch-failure.ts';
import { describeKeyNumber } from '../keyring/keyring.ts';
import type { Settings } from '../settings/settings.ts';
import { classifyTestMail, evaluateFindings } from './evaluate-findings.ts';
import type { DnsFindings, Failed, Findings, SecretsFinding, SiteFinding } from './findings.ts';

export interface ExamineOptions {
  /** Null: no test mail is sent. */
  readonly mailTo: string | null;
  /** Null: the usual ones. */
  readonly dkimSelector: string | null;
  readonly records?: TextRecords;
}

const SITE_WITHIN_MS = 10_000;
const DNS_WITHIN_MS = 3_000;

/** Looks at every part of the installation, all at once. It never rejects: what fails is a finding. */
export async function examineInstallation(
  settings: Settings,
  openDatabase: () => Promise<string>,
  { mailTo, dkimSelector, records = systemRecords() }: ExamineOptions,
): Promise<Findings> {
  const { domain } = readSender(settings.mail.from);
  const [database, mail, files, dns, site, secrets] = await Promise.all([
    openDatabase().then(examineDatabase).catch(toFailed),
    examineMail(settings, mailTo),
    examineFiles(settings),
    probeDns(records, domain, dkimSelector),
    examineSite(settings.siteUrl),
    examineSecrets(settings),
  ]);
  return { settings: [], exposure: describeExposure(settings), database, mail, files, dns, site, secrets };
}

/** Makes no secret where there is none. */
async function examineSecrets({ secrets, dataDir }: Settings): Promise<SecretsFinding> {
  if (secrets !== null) return { place: 'HANDOVER_SECRET', keyNumbers: secrets.map(describeKeyNumber) };
  const place = secretPath(dataDir);
  try {
    const found = await findGeneratedSecret(dataDir);
    return { place, keyNumbers: found?.split(',').map(describeKeyNumber) ?? null };
  } catch (error) {
    if (error instanceof SecretFileError) return { place, error: error.finding, fix: error.fix };
    return { place, ...toFailed(error), fix: 'Give DATA_DIR to the user that runs Handover.' };
  }
}

function describeExposure({ siteUrl, host, trustProxy }: Settings): Findings['exposure'] {
  const { protocol, hostname } = new URL(siteUrl);
  return {
    isPublic: !isLoopbackHost(hostname),
    isHttps: protocol === 'https:',
    isBehindProxy: isLoopbackHost(host),
    trustsProxy: trustProxy.length > 0,
  };
}

function systemRecords(): TextRecords {
  return createTextRecords(new Resolver({ timeout: DNS_WITHIN_MS, tries: 2 }));
}

/** `to`: where a test mail goes; null for none. */
export async function examineMail(
  { mail, isLocalTrial }: Settings,
  to: string | null,
): Promise<NonNullable<Findings['mail']>> {
  if (mail.smtpUrl === null) return { kind: 'files', isTrial: isLocalTrial };
  return probeMailServer({ url: mail.smtpUrl, from: mail.from }, to);
}

async function examineFiles({ files }: Settings): Promise<Findings['files']> {
  const place = files.kind === 's3' ? `the bucket ${files.place.bucket}` : files.directory;
  try {
    await (files.kind === 's3' ? probeBucket(files.place) : probeDisk(files.directory));
    return { place, error: null };
  } catch (error) {
    return { place, ...toFailed(error) };
  }
}

async function examineSite(url: string): Promise<SiteFinding> {
  const isLoopback = isLoopbackHost(new URL(url).hostname);
  const answer = await askForHealth(`${url}/healthz`).catch(toFailed);
  return { url, isLoopback, answer };
}

async function askForHealth(url: string): Promise<SiteFinding['answer']> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(SITE_WITHIN_MS) });
  const text = await response.text();
  return response.status === 200 && text === '{"status":"ok"}' ? 'ours' : { status: response.status };
}

function toFailed(error: unknown): Failed {
  return { error: readFetchFailure(error).message };
}

/** A page that is loaded again and again asks the mail server and the DNS once in this time. */
const KEPT_MS = 10_000;

/** The checks of `handover doctor`, and a test mail, for a page of the running server. */
export function createDoctor(settings: Settings, databaseUrl: string): InstallationDoctor {
  let checked: { readonly at: number; readonly results: Promise<readonly CheckResult[]> } | null = null;
  const check = async () => {
    const options = { mailTo: null, dkimSelector: null };
    return evaluateFindings(await examineInstallation(settings, async () => databaseUrl, options));
  };
  return {
    isOperator: (email) =>
      settings.operators.includes(normalizeEmail(email)) ||
      (settings.isLocalTrial && settings.operators.length === 0),
    check: () => {
      const now = performance.now();
      if (!checked || now - checked.at > KEPT_MS) checked = { at: now, results: check() };
      return checked.results;
    },
    sendTestMail: async (email) => classifyTestMail(await examineMail(settings, email)),
  };
}

/** Asks the DNS for texts. None: an empty list. Throws when nobody answers. */
export interface TextRecords {
  list(name: string): Promise<readonly string[]>;
}

/** The part of node:dns that is used. */
interface TextResolver {
  resolveTxt(name: string): Promise<string[][]>;
}

export function createTextRecords(resolver: TextResolver): TextRecords {
  return {
    list: async (name) => {
      try {
        // Long records come in pieces.
        return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : null;
        if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
        throw error;
      }
    },
  };
}

/** Selectors that mail providers and servers use, unless they choose random ones. */
const USUAL_SELECTORS = [
  ...['default', 'mail', 'dkim', 'smtp', 'google', 'selector1', 'selector2', 'k1', 'k2', 'k3', 's1', 's2'],
  ...['pm', 'mandrill', 'mailjet', 'mxvault', 'fm1', 'protonmail', 'resend', 'zoho', 'brevo', 'sib'],
];

/** Null: the domain is not public. */
export async function probeDns(
  records: TextRecords,
  domain: string,
  selector: string | null,
): Promise<DnsFindings | null> {
  if (!domain.includes('.') || /\.(localhost|local|internal|lan|test|example|invalid)$/i.test(domain))
    return null;
  const asked = selector === null ? USUAL_SELECTORS : [selector];
  const [spf, dkim, dmarc] = await Promise.all([
    findSenders(records, domain).catch(toFailed),
    findKeys(records, domain, asked).catch(toFailed),
    findPolicy(records, domain).catch(toFailed),
  ]);
  return { domain, spf, dkim, dmarc };
}

async function findSenders(records: TextRecords, domain: string): Promise<readonly string[]> {
  return (await records.list(domain)).filter((text) => /^v=spf1(\s|$)/i.test(text));
}

async function findKeys(records: TextRecords, domain: string, asked: readonly string[]) {
  const found = await Promise.all(
    asked.map(async (selector) => {
      const texts = await records.list(`${selector}._domainkey.${domain}`);
      // A key that is empty was revoked.
      return texts.some((text) => /(^|;)\s*p=\s*[A-Za-z0-9+/]/.test(text)) ? [selector] : [];
    }),
  );
  return { asked, found: found.flat() };
}

/** A subdomain has the policy of the domain above it, unless it has its own. */
async function findPolicy(records: TextRecords, domain: string): Promise<readonly string[]> {
  const labels = domain.split('.');
  for (let skipped = 0; labels.length - skipped >= 2; skipped += 1) {
    const texts = await records.list(`_dmarc.${labels.slice(skipped).join('.')}`);
    const policies = texts.filter((text) => /^v=DMARC1\b/i.test(text));
    if (policies.length > 0) return policies;
  }
  return [];
}
