import type { SignedIn, TestMailResult } from '@handover/domain';

/** What was checked of the installation, and what to do about it. */
export interface CheckResult {
  readonly area: CheckArea;
  /** `warning`: it works, and could fail or be better. `problem`: it must be fixed. */
  readonly state: 'good' | 'warning' | 'problem';
  /** What was found, in a sentence. */
  readonly finding: string;
  /** What to do, in a sentence; null where all is well. */
  readonly fix: string | null;
}

/** What a check of the installation is about. */
export type CheckArea = 'settings' | 'database' | 'mail' | 'files' | 'dns' | 'clock' | 'site';

/** `fix`: what to do, in a sentence; null when the mail was accepted. */
export type SentTestMail = TestMailResult & Pick<CheckResult, 'fix'>;

/** Checks the installation, for those who operate it. */
export interface InstallationDoctor {
  /** Whether this owner of an organisation operates the installation as well. */
  isOperator(email: string): boolean;
  check(): Promise<readonly CheckResult[]>;
  /** Hands a test mail to the mail server. Never rejects for what a mail server does. */
  sendTestMail(email: string): Promise<SentTestMail>;
}

/** Only owners see what concerns the installation, and only those of them who operate it. */
export function isOperator(
  doctor: Pick<InstallationDoctor, 'isOperator'> | undefined,
  { membership, email }: SignedIn,
): boolean {
  return membership?.role === 'owner' && doctor?.isOperator(email) === true;
}
