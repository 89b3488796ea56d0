import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { MAX_S3_FILE_BYTES } from '@handover/adapters-files';
import { isLoopbackAddress, isLoopbackHost } from '@handover/adapters-http';
import {
  DEFAULT_MAILS_PER_HOUR,
  isShortSecret,
  minSecretLength,
  normalizeEmail,
  readEmail,
  SHARED_PLATFORM,
} from '@handover/domain';
import type { PlatformSource } from '../composition/load-platforms.ts';
import type { FilesSetting } from './files-setting.ts';
import { readFilesSetting } from './files-setting.ts';
import { type Bounds, type Complain, readWholeNumber, splitList, trimEndingSlashes } from './read-value.ts';
import { type Retention, readRetention } from './retention-setting.ts';
import { readTelemetrySetting, type TelemetrySetting } from './telemetry-setting.ts';

export interface Settings extends Retention, TelemetrySetting {
  readonly port: number;
  readonly host: string;
  /** The root URL of the service, without a trailing slash. */
  readonly siteUrl: string;
  readonly dataDir: string;
  /** Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  /** A standby of it that answers reads of pages and lists. Null: there is none. */
  readonly databaseReadUrl: string | null;
  /** Null: generated and stored in `dataDir`. The first is current. */
  readonly secrets: readonly string[] | null;
  readonly mail: {
    readonly smtpUrl: string | null;
    /** The number of concurrent connections to the mail server. */
    readonly smtpConnections: number;
    readonly from: string;
  };
  readonly files: FilesSetting;
  /** The service's own signing secrets of payments-a, any of which verifies. Empty: it is not set up. */
  readonly paymentsASecrets: readonly string[];
  /** The maximum size of a product file, in bytes. */
  readonly maxFileSize: number;
  /** The time from the signal to the end of the process, whatever hangs. */
  readonly stopTimeoutMs: number;
  /** The maximum number of mails of one organisation in an hour. */
  readonly maxMailsPerHour: number;
  /** Platforms of other teams, which are offered besides ours. */
  readonly platforms: readonly PlatformSource[];
  readonly role: 'web' | 'worker' | 'all';
  readonly trustProxy: readonly string[];
  /** Users who operate the installation, by their normalized addresses. */
  readonly operators: readonly string[];
  /** The demo organisation and /dev/mail: only for a service that other machines cannot reach. */
  readonly isLocalTrial: boolean;
}

export interface SettingProblem {
  readonly name: string;
  /** A phrase to follow the name: what it must be, and how to fix it. */
  readonly problem: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads all settings, and reports all wrong or missing ones at once. */
export function readSettings(
  environment: Environment,
): { readonly settings: Settings } | { readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const complain = (name: string, problem: string) => {
    problems.push({ name, problem });
  };
  // An empty variable is how compose files and CI systems spell an absent one.
  const get = (name: string) => environment[name]?.trim() || null;

  const getNumber = (name: string, bounds: Bounds<number>) =>
    readWholeNumber(name, get(name), bounds, complain);

  const port = getNumber('PORT', { least: 0, most: 65_535, usual: 3000 });
  const host = get('HOST') ?? '127.0.0.1';
  const isClosed = isLoopbackListener(host);
  const siteUrl = readSiteUrl(get('SITE_URL'), { port, host, isClosed }, complain);
  const dataDir = resolve(get('DATA_DIR') ?? 'data');
  const databaseUrl = readDatabaseUrl(get('DATABASE_URL'), complain);
  const isLocal = isLoopbackHost(new URL(siteUrl).hostname);
  const role = readRole(get('ROLE') ?? 'all', complain);
  const settings: Settings = {
    port,
    host,
    siteUrl,
    dataDir,
    databaseUrl,
    databaseReadUrl: readReplicaUrl(get('DATABASE_READ_URL'), databaseUrl, complain),
    secrets: readSecrets(get('HANDOVER_SECRET'), databaseUrl !== null, complain),
    mail: {
      ...readMail(get('SMTP_URL'), get('MAIL_FROM'), isLocal, complain),
      smtpConnections: getNumber('SMTP_CONNECTIONS', SMTP_CONNECTIONS),
    },
    files: readFilesSetting(get, { dataDir, required: databaseUrl !== null }, complain),
    paymentsASecrets: readSigningSecrets(get('PAYMENTS_A_SIGNING_SECRET'), complain),
    maxFileSize: readFileSize(get('MAX_FILE_SIZE'), complain),
    ...readRetention(get, complain),
    ...readTelemetrySetting(get, role === 'worker' ? null : port, complain),
    stopTimeoutMs: getNumber('STOP_TIMEOUT_SECONDS', STOP_TIMEOUT_SECONDS) * 1000,
    maxMailsPerHour: getNumber('MAX_MAILS_PER_HOUR', MAILS_PER_HOUR),
    platforms: readPlatforms(get('PLATFORMS'), complain),
    role,
    trustProxy: readTrustProxy(get('TRUST_PROXY'), complain),
    operators: readOperators(get('OPERATOR_EMAILS'), complain),
    isLocalTrial: databaseUrl === null && isLocal && isClosed,
  };
  if (settings.files.kind === 's3' && settings.maxFileSize > MAX_S3_FILE_BYTES) {
    complain('MAX_FILE_SIZE', `must be at most ${MAX_S3_FILE_BYTES} with a bucket: larger files do not fit`);
  }
  return problems.length > 0 ? { problems } : { settings };
}

/** Any resolver may answer for a name: only `localhost` itself counts as this machine. */
function isLoopbackListener(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host);
}

function readSiteUrl(
  text: string | null,
  { port, host, isClosed }: { readonly port: number; readonly host: string; readonly isClosed: boolean },
  complain: Complain,
): string {
  if (text === null && !isClosed) {
    complain(
      'SITE_URL',
      `is required, because HOST ${host} lets other machines in: the address that buyers reach the service at, such ` +
        'as https://get.example.com. To try Handover on this machine alone, leave HOST out',
    );
  }
  const url = URL.parse(text ?? `http://localhost:${port}`);
  // A link is this address with a path after it: an empty `?` or `#` at its end would break every one.
  if (url && /^https?:$/.test(url.protocol) && !/[?#]/.test(url.href) && !url.username && !url.password) {
    return trimEndingSlashes(url.href);
  }
  complain(
    'SITE_URL',
    'must be the address that buyers reach the service at, such as https://get.example.com',
  );
  return 'http://localhost';
}

function readReplicaUrl(text: string | null, databaseUrl: string | null, complain: Complain): string | null {
  if (text !== null && databaseUrl === null) {
    complain('DATABASE_READ_URL', 'names a standby of DATABASE_URL, which is missing');
  }
  return readDatabaseUrl(text, complain, 'DATABASE_READ_URL');
}

function readDatabaseUrl(text: string | null, complain: Complain, name = 'DATABASE_URL'): string | null {
  if (text !== null && !/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')) {
    complain(name, 'must look like postgresql://user:password@host:5432/name');
  }
  return text;
}

function readSecrets(text: string | null, required: boolean, complain: Complain): readonly string[] | null {
  if (text === null) {
    if (required) {
      complain('HANDOVER_SECRET', 'is required with DATABASE_URL; make one with: openssl rand -hex 32');
    }
    return null;
  }
  const secrets = splitList(text);
  if (secrets.some((secret) => secret.length < 32)) {
    complain('HANDOVER_SECRET', 'must hold at least 32 characters (each, if several are listed with commas)');
  }
  return secrets;
}

function readSigningSecrets(text: string | null, complain: Complain): readonly string[] {
  const name = 'PAYMENTS_A_SIGNING_SECRET';
  const secrets = splitList(text);
  // An attacker can sign with an empty secret.
  if (secrets.includes('')) complain(name, 'must hold a secret on each side of a comma');
  else if (secrets.some((secret) => isShortSecret(SHARED_PLATFORM, secret))) {
    const least = minSecretLength(SHARED_PLATFORM);
    complain(name, `must hold secrets of at least ${least} characters: copy all of each, whsec_ included`);
  }
  return secrets;
}

function readMail(
  smtpUrl: string | null,
  from: string | null,
  isLocal: boolean,
  complain: Complain,
): Omit<Settings['mail'], 'smtpConnections'> {
  const server = smtpUrl === null ? null : URL.parse(smtpUrl);
  if (smtpUrl !== null && !(server?.hostname && /^smtps?:$/.test(server.protocol))) {
    complain('SMTP_URL', 'must look like smtp://user:password@host:587 or smtps://…');
  }
  if (!isLocal) {
    const why = 'is required, because SITE_URL is not on this machine';
    if (smtpUrl === null) complain('SMTP_URL', `${why}: the mail server that takes receipts`);
    if (from === null) complain('MAIL_FROM', `${why}: the address that receipts come from`);
  }
  if (from !== null && !/^[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/.test(from)) {
    complain(
      'MAIL_FROM',
      'must be an address, such as orders@example.com or Lumen Audio <orders@example.com>',
    );
  }
  return { smtpUrl, from: from ?? 'Handover <handover@localhost>' };
}

/**
 * On a server on the same machine, more connections gain nothing; with 20 ms per mail, twelve are ten times as fast
 * as one. The maximum is half of the receipts that a process mails at once.
 */
const SMTP_CONNECTIONS: Bounds<number> = { least: 1, most: 64, usual: 12 };

const MAILS_PER_HOUR: Bounds<number> = { least: 1, most: 1_000_000, usual: DEFAULT_MAILS_PER_HOUR };

const STOP_TIMEOUT_SECONDS: Bounds<number> = { least: 5, most: 3600, usual: 60, unit: ' of seconds' };

/** Bytes, or a number with a unit: `20GB` (powers of 1000), `20GiB` (powers of 1024). */
function readFileSize(text: string | null, complain: Complain): number {
  if (text === null) return DEFAULT_FILE_SIZE;
  const [, number = '', prefix = '', binary] = /^(\d+(?:\.\d+)?) ?(?:([kmgt]?)(i?)b)?$/i.exec(text) ?? [];
  const power = ['', 'k', 'm', 'g', 't'].indexOf(prefix.toLowerCase());
  const bytes = number === '' ? 0 : Math.floor(Number(number) * (binary ? 1024 : 1000) ** power);
  if (bytes >= 1 && Number.isSafeInteger(bytes)) return bytes;
  complain('MAX_FILE_SIZE', `must be a number of bytes, or a size such as 20GB or 20GiB, not “${text}”`);
  return DEFAULT_FILE_SIZE;
}

/** 20 GB: larger sample libraries are split into several files, so that slow connections complete each. */
const DEFAULT_FILE_SIZE = 20_000_000_000;

/** Names of packages, and paths of modules. Each is loaded and checked when the program starts. */
function readPlatforms(text: string | null, complain: Complain): readonly string[] {
  const sources = splitList(text);
  if (sources.includes('')) complain('PLATFORMS', 'must name a package or a path on each side of a comma');
  return sources;
}

function readRole(text: string, complain: Complain): Settings['role'] {
  if (text === 'web' || text === 'worker' || text === 'all') return text;
  complain('ROLE', `must be web, worker or all, not “${text}”`);
  return 'all';
}

function readTrustProxy(text: string | null, complain: Complain): readonly string[] {
  const addresses = splitList(text);
  const wrong = addresses.filter((address) => !isAddressOrSubnet(address));
  if (wrong.length > 0) {
    complain(
      'TRUST_PROXY',
      `must list IP addresses or subnets, such as 10.0.0.0/8, not “${wrong.join('”, “')}”`,
    );
  }
  return addresses;
}

function isAddressOrSubnet(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function readOperators(text: string | null, complain: Complain): readonly string[] {
  const addresses = splitList(text);
  const wrong = addresses.filter((address) => readEmail(address) === null);
  if (wrong.length > 0) {
    complain('OPERATOR_EMAILS', `must list e-mail addresses, not “${wrong.join('”, “')}”`);
  }
  return addresses.map(normalizeEmail);
}

/** Every problem of the settings, in one message. */
export function explainProblems(problems: readonly SettingProblem[]): string {
  const count = problems.length === 1 ? 'One setting needs you' : `${problems.length} settings need you`;
  return [`${count}:`, ...problems.map(({ name, problem }) => `  ${name} ${problem}`)].join('\n');
}
