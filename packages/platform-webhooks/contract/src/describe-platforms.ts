import { createPlatforms, type Platforms } from '@handover/domain';
import type { PlatformWebhook } from './platform-webhook.ts';

/** The platforms of a service that receives these, as its pages, mails and commands name them. */
export function describePlatforms(webhooks: readonly PlatformWebhook[]): Platforms {
  return createPlatforms(
    webhooks.map(({ label, name = label, credential }) => ({
      label,
      name,
      hasSecretInUrl: credential.kind === 'secret-in-url',
    })),
  );
}
