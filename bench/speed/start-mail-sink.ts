import { fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { awaitEnd } from '../../test/end-process.ts';
import { awaitPort } from './await-port.ts';
import { BUYERS } from './make-orders.ts';

export interface MailSink {
  readonly url: string;
  readonly pid: number;
  /** Mailed buyers with the first time of each, by the clock that processes share. */
  readonly mailedAt: ReadonlyMap<string, number>;
  /**
   * Waits until all of these were mailed. @returns how many were within this time, and when the last of them was, by
   * the clock that processes share.
   */
  waitFor(
    buyers: readonly string[],
    withinMs: number,
  ): Promise<{ readonly mailed: number; readonly lastAt: number }>;
  /** Discards the list of mailed buyers. */
  forget(): void;
  close(): Promise<void>;
}

export async function startMailSink(): Promise<MailSink> {
  const child = fork(fileURLToPath(new URL('./mail-sink.ts', import.meta.url)));
  const port = await awaitPort(child);
  const mailedAt = new Map<string, number>();
  child.on('message', (mailed) => {
    for (const [address, at] of mailed as [string, number][])
      if (address.startsWith(BUYERS) && !mailedAt.has(address)) mailedAt.set(address, at);
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    mailedAt,
    waitFor: async (buyers, withinMs) => {
      const until = performance.now() + withinMs;
      let mailed = 0;
      let lastAt = 0;
      for (const buyer of buyers) {
        while (!mailedAt.has(buyer) && performance.now() < until) await pause(10);
        const at = mailedAt.get(buyer);
        if (at === undefined) continue;
        mailed += 1;
        lastAt = Math.max(lastAt, at);
      }
      return { mailed, lastAt };
    },
    forget: () => mailedAt.clear(),
    close: async () => void (await awaitEnd(child, () => child.disconnect())),
  };
}
