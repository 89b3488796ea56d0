import type { FastifyReply } from 'fastify';
import { describeError, type LogFacts } from '../requests/request-log.ts';

/** Work of a request that begins once its answer is sent: before, it would compete with the answer for the processor. */
export interface UnansweredWork {
  /** What the work learns has a line of its own in the structured log, since the request's may be written before. */
  start(reply: FastifyReply, work: () => Promise<LogFacts>): void;
  /** Waits for all that was started: a stop asks for it before the database goes away. */
  idle(): Promise<void>;
}

export function createUnansweredWork(): UnansweredWork {
  const running = new Set<Promise<void>>();
  return {
    start: ({ raw, log }, work) => {
      // Also where sending fails: then it is closed without being sent.
      const sent = new Promise<void>((resolve) => (raw.closed ? resolve() : raw.once('close', resolve)));
      const done = sent.then(work).then(
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
