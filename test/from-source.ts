const conditions = ['handover-source', 'module', 'node', 'development|production'];

/** For vitest: tests run the sources of all packages, not what was built of them. */
export const fromSource = { resolve: { conditions }, ssr: { resolve: { conditions } } };
