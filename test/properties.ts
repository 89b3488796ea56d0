import fc from 'fast-check';

// What decides whether a change lands must not be decided by chance: there, properties try the same cases each time.
// Everywhere else each run tries others.
if (process.env.CI) fc.configureGlobal({ seed: 20_261_121 });
