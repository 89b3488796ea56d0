import type { HandoverOptions } from '../../src/index.ts';

/** The options of a service that is mounted in another server at `siteUrl`, with the settings of `makeInstallation`. */
export function mountedOptions(
  environment: Readonly<Record<string, string>>,
  mailServer: { readonly url: string },
  siteUrl: string,
): HandoverOptions {
  return {
    databaseUrl: environment.DATABASE_URL ?? '',
    files: environment.FILES_URL ?? '',
    mail: { smtpUrl: mailServer.url, from: 'orders@shop.test' },
    secret: environment.HANDOVER_SECRET ?? '',
    siteUrl,
    settings: { DATA_DIR: environment.DATA_DIR ?? '' },
  };
}
