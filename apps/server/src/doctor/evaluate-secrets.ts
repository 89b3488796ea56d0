import type { CheckResult } from '@handover/adapters-http';
import type { SealedCount } from '@handover/adapters-postgres';
import { reportMissing } from '../composition/generated-secret.ts';
import { bad, good, type SecretsFinding, warn } from './findings.ts';

/** Whether the secrets decrypt what is stored. While nothing is encrypted, any will do. */
export function evaluateSecrets(
  secrets: SecretsFinding,
  sealed: readonly SealedCount[],
): readonly CheckResult[] {
  if ('error' in secrets) return [bad('settings', secrets.error, secrets.fix)];
  if (sealed.length === 0) return [];
  const { place, keyNumbers } = secrets;
  if (keyNumbers === null) {
    const { finding, fix } = reportMissing(place);
    return [bad('settings', finding, fix)];
  }
  const count = (what: SealedCount['what']) =>
    sealed
      .filter((one) => one.what === what && !keyNumbers.includes(one.keyNumber))
      .reduce((sum, one) => sum + one.count, 0);
  const results = [
    ...evaluateConnections(place, count('connection-secret')),
    ...evaluateApiKeys(place, count('api-key')),
  ];
  return results.length > 0
    ? results
    : [good('settings', `What is encrypted in the database can be decrypted with ${place}.`)];
}

function evaluateConnections(place: string, count: number): readonly CheckResult[] {
  if (count === 0) return [];
  const what = count === 1 ? '1 webhook secret was' : `${count} webhook secrets were`;
  return [
    bad(
      'settings',
      `${what} encrypted with a secret that is not in ${place}: the server does not start.`,
      'Add the former secret at its end, separated by a comma. If nobody has it, enter each webhook secret again with: handover integration set',
    ),
  ];
}

function evaluateApiKeys(place: string, count: number): readonly CheckResult[] {
  if (count === 0) return [];
  const [what, they] =
    count === 1
      ? ['1 API key was', 'it works, and is not shown']
      : [`${count} API keys were`, 'they work, and are not shown'];
  return [
    warn(
      'settings',
      `${what} encrypted with a secret that is not in ${place}: ${they}.`,
      'Add the former secret at its end, separated by a comma, or replace the keys.',
    ),
  ];
}
