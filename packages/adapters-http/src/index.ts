export { createHttpApp } from './create-http-app.ts';
export type { SampleOrders } from './dashboard/integrations/sample-orders.ts';
export type { Outbox, OutboxEntry, OutboxMail } from './dev-mail/outbox.ts';
export type { DatabaseProbe, HttpOptions, HttpPorts } from './http-ports.ts';
export { isLoopbackAddress, isLoopbackHost } from './requests/local-request.ts';
