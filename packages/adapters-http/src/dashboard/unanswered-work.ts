import type { FastifyBaseLogger } from 'fastify';
import { describeError, type LogFacts } from '../requests/request-log.ts';

/** Work that begins with a request, and that its answer does not wait for. */
export interface UnansweredWork {
  /** What the work learns has a line of its own in the structured log, since the request's may be written before. */
  start(log: FastifyBaseLogger, work: () => Promise<LogFacts>): void;
  /** Waits for all that was started: a stop asks for it before the database goes away. */
  idle(): Promise<void>;
}

export function createUnansweredWork(): UnansweredWork {
  const running = new Set<Promise<void>>();
  return {
    start: (log, work) => {
      const done = work().then(
        (facts) => log.info(facts, 'after the answer'),
        (error: unknown) => log.error({ err: describeError(error) }, 'after the answer'),
      );
      running.add(done);
      void done.then(() => running.delete(done));
    },
    idle: async () => {
      await Promise.all(running);
    },
  };
}
