export { describeMapping } from './actions/sku-actions.ts';
export { createHttpApp } from './create-http-app.ts';
export type { SampleOrders } from './dashboard/integrations/sample-orders.ts';
export { vendorOf } from './dashboard/parts/platform.ts';
export type { Outbox, OutboxEntry, OutboxMail } from './dev-mail/outbox.ts';
export type { DatabaseProbe, HttpOptions, HttpPorts, Intake } from './http-ports.ts';
export { isLoopbackAddress, isLoopbackHost } from './requests/local-request.ts';
export type { IntakeLimit } from './webhooks/limit-intake.ts';
export { createIntakeLimit } from './webhooks/limit-intake.ts';
