import { SHARED_PLATFORM } from '@handover/domain';
import { createKeyring } from './keyring.ts';
import { createSigningSecrets } from './signing-secrets.ts';

/**
 * The signing secret of payments-a in a local trial without a configured one. It is derived from HANDOVER_SECRET, so
 * that `simulate` and the server derive the same one, and no file contains it.
 */
export function deriveTrialSecret(secrets: readonly string[]): string {
  return createSigningSecrets(createKeyring(secrets)).make(SHARED_PLATFORM, ['local-trial']);
}
