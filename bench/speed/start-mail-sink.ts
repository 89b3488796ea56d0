import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BUYERS } from './make-orders.ts';

export interface MailSink {
  readonly url: string;
  /** Buyers that were mailed, and when first, by the clock that processes share. */
  readonly mailedAt: ReadonlyMap<string, number>;
  /** Waits until so many buyers were mailed. False: they were not within this time. */
  waitFor(buyers: number, withinMs: number): Promise<boolean>;
  /** Forgets who was mailed. */
  forget(): void;
  close(): Promise<void>;
}

export async function startMailSink(): Promise<MailSink> {
  const child = fork(fileURLToPath(new URL('./mail-sink.ts', import.meta.url)));
  const [port] = await once(child, 'message');
  const mailedAt = new Map<string, number>();
  child.on('message', (mailed) => {
    for (const [address, at] of mailed as [string, number][])
      if (address.startsWith(BUYERS) && !mailedAt.has(address)) mailedAt.set(address, at);
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    mailedAt,
    waitFor: async (buyers, withinMs) => {
      const until = performance.now() + withinMs;
      while (mailedAt.size < buyers && performance.now() < until) await pause(10);
      return mailedAt.size >= buyers;
    },
    forget: () => mailedAt.clear(),
    close: async () => {
      child.disconnect();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
