/** Code that is mutated together, and the tests that must see it. Paths begin at the root of the repository. */
export interface Group {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  readonly exclude: readonly string[];
}

/** Without the tests of other parts, those that read the sources, and those that play long random histories. */
const domain = {
  tests: ['packages/domain/test/*.test.ts'],
  exclude: ['access', 'boundaries', 'sequences'].map((name) => `packages/domain/test/${name}.test.ts`),
};

const domainSources = 'packages/domain/src';
const platforms = 'packages/platform-webhooks';

export const GROUPS: Readonly<Record<string, Group>> = {
  fulfilment: {
    mutate: [
      `${domainSources}/fulfilment/!(alert-of-failure|collected-alert|deliver-rejected|run-job|share-rejected).ts`,
      `${domainSources}/model/{alert,delivery,job,log-entry,open-delivery,plan,release,unassigned-delivery}.ts`,
    ],
    ...domain,
  },
  verify: {
    mutate: [
      `${platforms}/*/src/verify.ts`,
      // What verifying rests on.
      `${platforms}/contract/src/verification.ts`,
    ],
    // Without the suite that every platform passes: most of it is about orders, and it takes long.
    tests: [
      `${platforms}/*/test/{captured,is-save-ping,verify}.test.ts`,
      `${platforms}/checkout-a-classic/test/{check-strictly,proof-of-pair}.test.ts`,
      `${platforms}/contract/test/{proof-of-origin,same-secret,signature}.test.ts`,
    ],
    exclude: [],
  },
  receipts: {
    mutate: [
      `${domainSources}/email/!(when-to-mail).ts`,
      `${domainSources}/model/{mail-answer,mailing,outgoing-email,pending-email,receipt}.ts`,
      `${domainSources}/purchases/{renew-mailing,resend-receipt}.ts`,
    ],
    ...domain,
  },
  downloads: {
    mutate: [
      `${domainSources}/downloads/*.ts`,
      `${domainSources}/access/throttle.ts`,
      `${domainSources}/model/{byte-ranges,day,download-link,download-link-email,download-session}.ts`,
    ],
    ...domain,
  },
};
