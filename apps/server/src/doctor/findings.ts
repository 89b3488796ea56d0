import type { CheckResult } from '@handover/adapters-http';
import type { MailProbe } from '@handover/adapters-mail';
import type { ExaminedDatabase } from '@handover/adapters-postgres';
import type { SettingProblem } from '../settings/settings.ts';

/** What was found of each part of the installation: values, without a judgement. Null: it was not looked at. */
export interface Findings {
  readonly settings: readonly SettingProblem[];
  readonly exposure: Exposure | null;
  readonly database: ExaminedDatabase | Failed | null;
  readonly mail: MailProbe | { readonly kind: 'files'; readonly isTrial: boolean } | null;
  readonly files: { readonly place: string; readonly error: string | null } | null;
  readonly dns: DnsFindings | null;
  readonly site: SiteFinding | null;
  readonly secrets: SecretsFinding | null;
}

/** The secrets that sign and encrypt. A file without any is damaged. */
export type SecretsFinding =
  | {
      /** The setting, or the file. */
      readonly place: string;
      /** Numbers of their keys; null: there is no file. */
      readonly keyNumbers: readonly string[] | null;
    }
  | (Failed & { readonly place: string; readonly fix: string });

/** How the installation faces the internet. */
export interface Exposure {
  readonly isPublic: boolean;
  readonly isHttps: boolean;
  /** It listens on loopback, so that only a proxy on this machine can bring in others. */
  readonly isBehindProxy: boolean;
  readonly trustsProxy: boolean;
}

export interface Failed {
  readonly error: string;
}

/** Texts of records. An error says that nobody could be asked. */
export interface DnsFindings {
  readonly domain: string;
  readonly spf: readonly string[] | Failed;
  /** The selectors that were asked for, and those that have a key. */
  readonly dkim: { readonly asked: readonly string[]; readonly found: readonly string[] } | Failed;
  readonly dmarc: readonly string[] | Failed;
}

export interface SiteFinding {
  readonly url: string;
  readonly isLoopback: boolean;
  readonly answer: 'ours' | { readonly status: number } | Failed;
}

export function good(area: CheckResult['area'], finding: string): CheckResult {
  return { area, state: 'good', finding, fix: null };
}

export function warn(area: CheckResult['area'], finding: string, fix: string): CheckResult {
  return { area, state: 'warning', finding, fix };
}

export function bad(area: CheckResult['area'], finding: string, fix: string): CheckResult {
  return { area, state: 'problem', finding, fix };
}
