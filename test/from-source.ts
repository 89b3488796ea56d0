// Without 'module', which Node does not know: what is left to it, such as the AWS SDK, must be what Node would load.
const conditions = ['handover-source', 'node', 'development|production'];

/** For vitest: tests run the sources of all packages, not what was built of them. So does what is set up for all tests. */
export const fromSource = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  environments: { __vitest__: { resolve: { conditions } } },
};
