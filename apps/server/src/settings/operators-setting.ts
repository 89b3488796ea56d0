import { normalizeEmail, readEmail } from '@handover/domain';

/** The users who operate the installation, by their normalized addresses. */
export function readOperators(
  text: string | null,
  complain: (name: string, problem: string) => void,
): readonly string[] {
  const addresses = text?.split(',').map((address) => address.trim()) ?? [];
  const wrong = addresses.filter((address) => readEmail(address) === null);
  if (wrong.length > 0) {
    complain('OPERATOR_EMAILS', `must list e-mail addresses, not “${wrong.join('”, “')}”`);
  }
  return addresses.map(normalizeEmail);
}
