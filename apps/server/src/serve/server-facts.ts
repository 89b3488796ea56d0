import type { Settings } from '../settings/settings.ts';

/**
 * What a command needs to know about the settings of a running server, since its own environment may differ. The
 * server writes it into DATA_DIR beside its address, never with a secret.
 */
export type ServerFacts = {
  /** Where receipts go: to a mail server, or into files, which /dev/mail may show. Unknown: no server says it. */
  readonly receipts: (typeof RECEIPTS)[number] | 'unknown';
  /** Whether payments-a has a secret: a configured one, or the derived one of a local trial. */
  readonly paymentsA: 'set' | 'trial' | 'off';
};

export function describeServer({ isLocalTrial, mail, paymentsASecrets }: Settings): ServerFacts {
  const kept = isLocalTrial ? 'dev-mail' : 'files';
  const unset = isLocalTrial ? 'trial' : 'off';
  return {
    receipts: mail.smtpUrl === null ? kept : 'smtp',
    paymentsA: paymentsASecrets.length > 0 ? 'set' : unset,
  };
}

/**
 * For a command that no server tells its facts: the server is taken to have the same settings. But an SMTP_URL that is
 * absent here may well be there.
 */
export function guessServer(settings: Settings): ServerFacts {
  const guessed = describeServer(settings);
  return settings.mail.smtpUrl === null ? { ...guessed, receipts: 'unknown' } : guessed;
}

/** What a server wrote. Null: a server of another version wrote none, or others. */
export function readFacts(written: Readonly<Record<string, string>> | undefined): ServerFacts | null {
  const receipts = RECEIPTS.find((known) => known === written?.receipts);
  const paymentsA = PAYMENTS_A.find((known) => known === written?.paymentsA);
  return receipts && paymentsA ? { receipts, paymentsA } : null;
}

const RECEIPTS = ['smtp', 'dev-mail', 'files'] as const;
const PAYMENTS_A = ['set', 'trial', 'off'] as const;
