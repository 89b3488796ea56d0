import pino from 'pino';
import { endWithin } from '../../src/end-within.ts';

// Is to end within so many milliseconds, while its only thread waits for what never comes.
const never = new Promise<never>(() => undefined);
endWithin(Number(process.argv[2]), { log: pino(), leftBehind: () => [], endDatabase: () => never });
process.stdout.write('"standing still"\n', () =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
);
