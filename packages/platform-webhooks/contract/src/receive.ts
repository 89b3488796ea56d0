import type { TranslatedEntry } from '@handover/domain';
import { keepHeaders } from './headers.ts';
import type { InboundDelivery, PlatformWebhook, SigningConnection, Unreadable } from './platform-webhook.ts';
import { readBody } from './read-body.ts';
import { type Refused, refuse, type Verification } from './verification.ts';

/** What became of a webhook request: who sent it is known before a byte of it is parsed. */
export type Reception =
  | Refused
  | (Unreadable & { readonly connectionId: string })
  | {
      readonly kind: 'translated';
      readonly connectionId: string;
      readonly entries: readonly TranslatedEntry[];
    };

/** Verifies, parses and translates one request, in that order, whatever the platform. It never throws. */
export function receive(
  platform: PlatformWebhook,
  inbound: InboundDelivery,
  connections: readonly SigningConnection[],
): Reception {
  const verification = verify(platform, inbound, connections);
  if (verification.kind === 'refused') return verification;
  const { connectionId } = verification;
  const read = readBody(platform, inbound.body, keepHeaders(platform, inbound.headers));
  return 'kind' in read ? { ...read, connectionId } : { kind: 'translated', connectionId, entries: read };
}

function verify(
  platform: PlatformWebhook,
  inbound: InboundDelivery,
  connections: readonly SigningConnection[],
): Verification {
  try {
    return platform.verify(inbound, connections, inbound.receivedAt);
  } catch {
    return refuse('The signature could not be checked.');
  }
}
