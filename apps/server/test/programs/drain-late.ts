import pino from 'pino';
import { endWithin } from '../../src/serve/end-within.ts';

// A drain that waits for the database and ends the process as soon as the database is gone, before the code that
// ended it.
const gone = Promise.withResolvers<void>();
gone.promise.then(() => process.exit());
endWithin(Number(process.argv[2]), {
  log: pino(),
  leftBehind: () => ['database'],
  endDatabase: async () => gone.resolve(),
});
process.stdout.write('"draining"\n');
