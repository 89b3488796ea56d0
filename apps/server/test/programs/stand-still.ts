import pino from 'pino';
import { endWithin } from '../../src/serve/end-within.ts';

// Must end within this time while its only thread is blocked for ever.
const never = new Promise<never>(() => undefined);
endWithin(Number(process.argv[2]), { log: pino(), leftBehind: () => [], endDatabase: () => never });
process.stdout.write('"standing still"\n', () =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
);
