import type { InboundDelivery, PlatformWebhook } from './platform-webhook.ts';

/**
 * How many bytes of a request's body may be read, judging by its head: without its credential, few or none.
 */
export function countReadableBytes(
  { credential, maxUnsignedBytes = 0 }: Pick<PlatformWebhook, 'credential' | 'maxUnsignedBytes'>,
  { headers, query }: Pick<InboundDelivery, 'headers' | 'query'>,
): number {
  const carriesCredential =
    credential.kind === 'signature'
      ? credential.headers.some((name) => isGiven(headers[name]))
      : isGiven(query[credential.parameter]);
  return carriesCredential ? Number.POSITIVE_INFINITY : maxUnsignedBytes;
}

function isGiven(value: string | readonly string[] | undefined): boolean {
  return [value ?? []].flat().some((text) => text.trim() !== '');
}
