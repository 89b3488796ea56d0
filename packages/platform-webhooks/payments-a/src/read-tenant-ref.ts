import { lastSegment, parseJsonExactly, readPayload, type TenantRef } from '@handover/platform-contract';
import { type EventPayload, EventSchema } from './payload.ts';

/**
 * Reads which organisation an event is for, from a body that one of the service's own secrets verified. The
 * owner of an account can write any metadata into its events, so metadata is ignored where there is an
 * account. Where nothing else names one, the context does: an event of a Stripe organisation, which several accounts belong to,
 * has no other. https://docs.stripe.com/connect/webhooks
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
  if (orgId !== undefined) return { kind: 'organisation', orgId };
  // https://docs.stripe.com/changelog/basil/2025-04-30/additional-context-organization-events
  const generatedBy = lastSegment(event.context);
  return generatedBy?.startsWith('acct_')
    ? { kind: 'account', account: generatedBy }
    : { kind: 'nobody', reason: 'The event names neither an account nor, in its metadata, an org_id.' };
}

/** A thin event names the account in its context, within the organisation that it may belong to. */
function isThin({ object }: EventPayload): boolean {
  return object === 'v2.core.event';
}

/** Whether the account's member is present at all, even if it is blank or not text. */
function names(payload: unknown, member: string): boolean {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, member)) return false;
  return (payload as Readonly<Record<string, unknown>>)[member] !== null;
}
