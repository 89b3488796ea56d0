import { DomainError, type Timer } from '@handover/domain';
import type { FastifyReply } from 'fastify';
import { describeError, type LogFacts } from '../requests/request-log.ts';
import { systemTimer } from '../system-timer.ts';

/** Work of a request that begins once its answer is sent: before, it would compete with the answer for the processor. */
export interface UnansweredWork {
  /**
   * Tried again while the database does not answer, since its requester was told that it is done: a try that failed may have been
   * committed. What the work learns has a line of its own in the structured log, since the request's may be written before.
   */
  start(reply: FastifyReply, work: () => Promise<LogFacts>): void;
  /** Waits for all that was started: a stop asks for it before the database goes away. */
  idle(): Promise<void>;
}

/** Between the tries: a database whose standby takes over is back by then. */
export const PAUSES_MS: readonly number[] = [1_000, 4_000, 10_000];

export function createUnansweredWork(timer: Pick<Timer, 'start'> = systemTimer): UnansweredWork {
  const running = new Set<Promise<void>>();
  return {
    start: ({ raw, log }, work) => {
      // Also where sending fails: then it is closed without being sent.
      const sent = new Promise<void>((resolve) => (raw.closed ? resolve() : raw.once('close', resolve)));
      const done = sent
        .then(() => tryAgain(work, timer))
        .then(
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

async function tryAgain<Result>(work: () => Promise<Result>, timer: Pick<Timer, 'start'>): Promise<Result> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'store-unavailable') throw error;
    }
    await new Promise<void>((resolve) => timer.start(pause, resolve));
  }
  return work();
}
