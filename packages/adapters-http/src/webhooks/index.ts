// Receives webhooks from head to outcome, independently of HTTP: for servers and for simulations.
export type { DatabaseProbe } from '../http-ports.ts';
export { checkHead } from './check-head.ts';
export { receiveWebhook, type WebhookPorts } from './receive-webhook.ts';
export { organisationAddress, sharedAddress } from './webhook-address.ts';
export { WEBHOOK_STATUSES, type WebhookOutcome } from './webhook-outcome.ts';
