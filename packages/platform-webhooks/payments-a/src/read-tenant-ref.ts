import { lastSegment, parseJsonExactly, readPayload, type TenantRef } from '@handover/platform-contract';
import { type EventPayload, EventSchema } from './payload.ts';

/**
 * Reads from a body, verified with one of the service's own secrets, which organisation it is for. Whoever
 * owns an account can write any metadata into its events, so beside an account, metadata is never believed.
 * https://docs.stripe.com/connect/webhooks
 */
export function readTenantRef(body: Uint8Array): TenantRef {
  const parsed = parseJsonExactly(body);
  const payload = parsed.kind === 'parsed' ? parsed.value : null;
  const event = readPayload(EventSchema, payload);
  if (!event) return { kind: 'nobody', reason: 'The body is not an event.' };
  const member = isThin(event) ? 'context' : 'account';
  const account = member === 'context' ? lastSegment(event.context) : event.account;
  if (account !== undefined) return { kind: 'account', account };
  if (names(payload, member)) {
    return { kind: 'nobody', reason: 'The event names an account that cannot be read.' };
  }
  const metadata = event.data?.object?.metadata;
  const orgId = metadata?.org_id ?? metadata?.orgId;
  return orgId === undefined
    ? { kind: 'nobody', reason: 'The event names neither an account nor, in its metadata, an org_id.' }
    : { kind: 'organisation', orgId };
}

/** A thin event names the account, within the organisation that it may belong to, as its context. */
function isThin({ object }: EventPayload): boolean {
  return object === 'v2.core.event';
}

/** Whether anything at all stands where the account does, be it no text or blank. */
function names(payload: unknown, member: string): boolean {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, member)) return false;
  return (payload as Readonly<Record<string, unknown>>)[member] !== null;
}
