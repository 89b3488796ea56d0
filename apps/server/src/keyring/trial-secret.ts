import { SHARED_PLATFORM } from '@handover/domain';
import { createKeyring } from './keyring.ts';
import { createSigningSecrets } from './signing-secrets.ts';

/**
 * The signing secret of payments-a in a local trial, where nobody has set one. It derives from HANDOVER_SECRET, so that
 * `simulate` finds it as the server does, and no file holds it.
 */
export function deriveTrialSecret(secrets: readonly string[]): string {
  return createSigningSecrets(createKeyring(secrets)).make(SHARED_PLATFORM, ['local-trial']);
}
