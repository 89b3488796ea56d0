// What takes in a webhook, from its head to its outcome, without any HTTP: for servers, and for simulations of them.
export type { DatabaseProbe } from '../http-ports.ts';
export { checkHead } from './check-head.ts';
export {
  receiveWebhook,
  WEBHOOK_STATUSES,
  type WebhookOutcome,
  type WebhookPorts,
} from './receive-webhook.ts';
export { organisationAddress, sharedAddress } from './webhook-address.ts';
