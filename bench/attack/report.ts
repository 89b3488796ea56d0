import type { AttackRequest } from './make-request.ts';
import type { Answered } from './send-request.ts';

const MAX_LISTED = 40;

/** Counts what came of the requests, and keeps what should not have happened. */
export function createReport() {
  const statuses = new Map<string, number>();
  const reached = new Map<string, number>();
  const findings = new Map<string, string>();
  let [sent, longestMs, isDone] = [0, 0, false];
  const began = Date.now();

  /** What is alike is told once, with the first number that did it. */
  const find = (
    kind: string,
    { number, method, path }: Pick<AttackRequest, 'number' | 'method' | 'path'>,
    what: string,
  ) => {
    const place = `${method} ${path
      .replace(/\?.*/s, '')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
      .slice(0, 80)}`;
    const key = `${kind} ${place}`;
    if (!findings.has(key) && findings.size < MAX_LISTED)
      findings.set(key, `number ${number}: ${kind}: ${place} ${what}`);
  };

  return {
    note(request: AttackRequest, { status, headers, text, isSilent }: Answered, isLeak: boolean): void {
      sent += 1;
      const isLetIn = status !== null && status < 400;
      reached.set(request.route, (reached.get(request.route) ?? 0) + (isLetIn ? 1 : 0));
      const isOverload = status === 503 && headers['retry-after'] !== undefined;
      const name =
        status === null ? 'broken off' : isOverload ? '503 with Retry-After' : `${String(status)[0]}xx`;
      statuses.set(name, (statuses.get(name) ?? 0) + 1);
      if (status !== null && status >= 500 && !isOverload) find(String(status), request, text.slice(0, 200));
      if (isSilent) find('no answer', request, '');
      if (isLeak) find('leak', request, 'tells of the other organisation');
    },
    noteHold(number: number, what: string, ms: number): void {
      find('held', { number, method: '', path: what }, `for ${Math.round(ms)} ms`);
    },
    noteLongest(ms: number): void {
      longestMs = Math.max(longestMs, ms);
    },
    noteExit(code: number | null, signal: string | null): void {
      if (isDone) return;
      find('the process ended', { number: sent, method: '', path: '' }, `code ${code}, signal ${signal}`);
      isDone = true;
    },
    stopEarly(count: number): void {
      find('time is up', { number: count, method: '', path: '' }, `after ${count} requests`);
    },
    finish(): void {
      isDone = true;
    },
    hasEnded: () => isDone,
    summary: () =>
      [...statuses]
        .sort()
        .map(([name, count]) => `${name}: ${count}`)
        .join(', '),
    /** @returns whether nothing was found. */
    print(): boolean {
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(`\n${sent} requests in ${seconds} s. ${this.summary()}`);
      const closed = [...reached].filter(([, count]) => count === 0).map(([route]) => route);
      console.log(`${reached.size} routes were asked; ${closed.length} let nothing in: ${closed.join(', ')}`);
      console.log(
        `The longest time that the event loop was held while a request was measured: ${Math.round(longestMs)} ms.`,
      );
      if (findings.size === 0) console.log('Nothing was found.');
      else console.log(`Found:\n${[...findings.values()].join('\n')}`);
      return findings.size === 0;
    },
  };
}
