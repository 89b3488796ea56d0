import type { InboundDelivery } from '../platform-webhook.ts';
import type { Reception } from '../receive.ts';
import type { PlatformSpecimen, SpecimenDelivery } from './platform-contract.ts';

export const SECRET = 'a secret that the shop knows';

/** A genuine request of the platform. */
export function signInbound(
  { platform, signForTest, completed }: PlatformSpecimen,
  secret: string = SECRET,
  { body, headers }: SpecimenDelivery = completed,
): InboundDelivery {
  const credential = signForTest(secret, body);
  return {
    platform: platform.label,
    body,
    headers: { ...headers, ...credential.headers },
    query: { ...credential.query },
    receivedAt: new Date(),
  };
}

/** The same request with another signature, several, or none. */
export function forge(
  { signature }: PlatformSpecimen,
  inbound: InboundDelivery,
  change: (genuine: string) => string | readonly string[] | undefined,
): InboundDelivery {
  const part = inbound[signature.in];
  const genuine = part[signature.name];
  if (typeof genuine !== 'string')
    throw new Error(`signForTest left no ${signature.name} in the ${signature.in}`);
  return { ...inbound, [signature.in]: { ...part, [signature.name]: change(genuine) } };
}

/** The same request with headers under the vendor's names. */
export function spellAsVendor({ vendorNames }: PlatformSpecimen, inbound: InboundDelivery): InboundDelivery {
  const headers = Object.entries(inbound.headers).map(([name, value]) => [vendorNames[name] ?? name, value]);
  return { ...inbound, headers: Object.fromEntries(headers) };
}

/** Describes the outcome of a request; its words show the author of a platform what is still missing. */
export function summarise(reception: Reception): string {
  if (reception.kind === 'refused') return `refused: ${reception.reason}`;
  if (reception.kind === 'unreadable') return `unreadable: ${reception.problem}`;
  return reception.entries.map(({ kind }) => kind).join(', ');
}
