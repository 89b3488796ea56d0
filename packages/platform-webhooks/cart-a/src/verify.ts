import {
  findSigner,
  type InboundDelivery,
  isSameSecret,
  readAsQuery,
  refuse,
  type SigningConnection,
  type Verification,
} from '@handover/platform-contract';

// https://help.samcart.com/support/solutions/articles/60000506436-notify-url
// These vendors sign nothing, so the merchant puts a secret into the URL. No message here may repeat it:
// reasons are logged and sent.
export function verify({ query }: InboundDelivery, connections: readonly SigningConnection[]): Verification {
  const { secret: given } = query;
  const [value = '', ...others] = typeof given === 'string' ? [given] : (given ?? []);
  if (others.length > 0) return refuse('The webhook URL holds more than one secret.');
  if (value.trim() === '') return refuse('The webhook URL holds no secret.');
  const exact = findSigner(connections, (secret) => isSameSecret(secret, value));
  if (exact.kind === 'verified') return exact;
  return findSigner(connections, (secret) => isSameSecret(readAsQuery(secret), readAsQuery(value)));
}
