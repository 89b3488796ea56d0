import fc from 'fast-check';

// CI must not depend on random cases: there, properties try the same cases each time. Elsewhere each run tries
// others.
if (process.env.CI) fc.configureGlobal({ seed: 20_261_121 });
