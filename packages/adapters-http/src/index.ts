export { describeMapping } from './actions/sku-actions.ts';
export { createHttpApp } from './create-http-app.ts';
export type { SampleOrders } from './dashboard/integrations/sample-orders.ts';
export type {
  CheckArea,
  CheckResult,
  InstallationDoctor,
  SentTestMail,
} from './dashboard/settings/installation-report.ts';
export type { Outbox, OutboxEntry, OutboxMail } from './dev-mail/outbox.ts';
export type { DatabaseProbe, HttpOptions, HttpPorts, Intake, RequestTracing } from './http-ports.ts';
export { type MetricsEndpoint, metricsRoutes } from './metrics-routes.ts';
export { type MountedApp, MountedTwiceError, MountPathError, mountHttpApp } from './mount-http-app.ts';
export { isLoopbackAddress, isLoopbackHost } from './requests/local-request.ts';
export { createIntakeLimit, type IntakeLimit } from './webhooks/limit-intake.ts';
export type { IsTestOrder } from './webhooks/receive-webhook.ts';
export type { ObserveWebhook } from './webhooks/webhook-routes.ts';
