import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseAsJson, retryLater } from '../requests/answer-error.ts';
import { addLogContext, type LogFacts } from '../requests/request-log.ts';
import { type RecordedDelivery, WEBHOOK_STATUSES, type WebhookOutcome } from './webhook-outcome.ts';

/** The answer to a throttled request. */
export const THROTTLED =
  'Too many requests from this address were refused. Check the secret, and send it again later.';

/** Answers the sender with the outcome of its delivery, and adds details to the request's log line. */
export function answerWebhook(
  outcome: WebhookOutcome,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): FastifyReply {
  const status = WEBHOOK_STATUSES[outcome.kind];
  switch (outcome.kind) {
    case 'unknown-organisation':
      return refuseAsJson(reply, status, 'There is no such organisation. Copy the webhook URL again.');
    case 'ping':
      return reply.code(status).send({ received: true });
    case 'refused':
      addLogContext(request, { reason: outcome.reason });
      return refuseAsJson(reply, status, outcome.reason);
    case 'throttled':
      addLogContext(request, { reason: THROTTLED });
      retryLater(reply, outcome.until, now);
      return refuseAsJson(reply, status, THROTTLED);
    case 'not-recorded':
      addLogContext(request, { error: outcome.error });
      reply.header('retry-after', 5);
      return refuseAsJson(reply, status, 'The delivery could not be recorded. Send it again in a moment.');
    case 'unreadable':
      addLogContext(request, describeUnreadable(outcome));
      return refuseAsJson(reply, status, outcome.problem);
    case 'recorded': {
      const { deliveries, trouble } = outcome;
      addLogContext(request, {
        ...organisationOf(outcome),
        ...describeDeliveries(deliveries),
        ...(trouble ? { fulfilment: trouble.kind } : {}),
        ...(trouble?.kind === 'failed' ? { error: trouble.error } : {}),
      });
      return reply.code(status).send(receivedBody(deliveries));
    }
    case 'unassigned':
      addLogContext(request, {
        deliveryStatus: 'ignored',
        reason: outcome.reason,
        ...describeDeliveries(outcome.deliveries),
      });
      return reply.code(status).send(receivedBody(outcome.deliveries));
  }
}

function describeUnreadable(outcome: Extract<WebhookOutcome, { readonly kind: 'unreadable' }>): LogFacts {
  return {
    ...organisationOf(outcome),
    deliveryId: outcome.deliveryId,
    deliveryStatus: 'error',
    reason: outcome.problem,
    ...(outcome.cause === undefined ? {} : { error: outcome.cause }),
  };
}

function organisationOf({ orgId }: { readonly orgId: string | null }): LogFacts {
  return orgId === null ? {} : { orgId };
}

function describeDeliveries(deliveries: readonly RecordedDelivery[]): LogFacts {
  const [first] = deliveries;
  return {
    ...(first
      ? { deliveryId: first.id, orderId: first.orderId, ...nameOf(first), deliveryStatus: first.status }
      : {}),
    ...(first?.reason ? { reason: first.reason } : {}),
    ...(deliveries.length > 1 ? { deliveries: deliveries.length } : {}),
  };
}

/** An event that is not an order has no number. */
function nameOf({ orderNumber }: RecordedDelivery): LogFacts {
  return orderNumber ? { orderNumber } : {};
}

/** Without a delivery, the request held nothing that could be processed. */
function receivedBody(deliveries: readonly RecordedDelivery[]) {
  const [first] = deliveries;
  return {
    received: true,
    deliveryId: first?.id ?? null,
    status: first?.status ?? 'ignored',
    deliveries: deliveries.map(({ id, orderId, status }) => ({ deliveryId: id, orderId, status })),
  };
}
