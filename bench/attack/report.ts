import type { AttackRequest } from './make-request.ts';
import { type Hold, isLonger, NO_HOLD } from './measure-hold.ts';
import type { Answered } from './send-request.ts';

const MAX_LISTED = 40;
const NOWHERE = { route: 'none', method: '', path: '' };

type Place = Pick<AttackRequest, 'number' | 'route' | 'method' | 'path'>;

/** Counts the outcomes of the requests. A violation is printed at once, in a line, and again at the end. */
export function createReport(say: (line: string) => void = console.log) {
  const statuses = new Map<string, number>();
  const reached = new Map<string, number>();
  const findings = createFindings(say);
  let [sent, longest, isDone] = [0, NO_HOLD, false];
  const began = Date.now();

  return {
    note(request: AttackRequest, { status, headers, text, isSilent }: Answered, isLeak: boolean): void {
      sent += 1;
      const isLetIn = status !== null && status < 400;
      reached.set(request.route, (reached.get(request.route) ?? 0) + (isLetIn ? 1 : 0));
      const isOverload = status === 503 && headers['retry-after'] !== undefined;
      const name = isOverload ? '503 with Retry-After' : nameStatus(status);
      statuses.set(name, (statuses.get(name) ?? 0) + 1);
      if (status !== null && status >= 500 && !isOverload)
        findings.add(String(status), request, text.slice(0, 200));
      if (isSilent) findings.add('no answer', request, '');
      if (isLeak) findings.add('leak', request, 'tells of the other organisation');
    },
    /** `hold`: the shortest of all tries. */
    addHold({ number, route }: Pick<AttackRequest, 'number' | 'route'>, what: string, hold: Hold): void {
      findings.add('held', { number, route, method: '', path: what }, `for ${formatHold(hold)}`);
    },
    addLongest(hold: Hold): void {
      if (isLonger(hold, longest)) longest = hold;
    },
    addExit(code: number | null, signal: string | null): void {
      if (isDone) return;
      findings.add('the process ended', { ...NOWHERE, number: sent }, `code ${code}, signal ${signal}`);
      isDone = true;
    },
    stopEarly(count: number): void {
      findings.add('time is up', { ...NOWHERE, number: count }, `after ${count} requests`);
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
      say(`\n${sent} requests in ${seconds} s. ${this.summary()}`);
      const closed = [...reached].filter(([, count]) => count === 0).map(([route]) => route);
      say(`${reached.size} routes were asked; ${closed.length} let nothing in: ${closed.join(', ')}`);
      say(`The longest that the event loop was held while a request was measured: ${formatHold(longest)}.`);
      const found = findings.list();
      if (found.length === 0) say('Nothing was found.');
      else say(`Found ${found.length}:\n${found.join('\n')}`);
      return found.length === 0;
    },
  };
}

/** Equal findings are printed once, with the first number. */
function createFindings(say: (line: string) => void) {
  const findings = new Map<string, string>();
  return {
    list: () => [...findings.values()],
    add: (kind: string, { number, route, method, path }: Place, what: string): void => {
      const place = `${method} ${path
        .replace(/\?.*/s, '')
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
        .slice(0, 80)}`;
      const key = `${kind} ${place}`;
      if (findings.has(key) || findings.size >= MAX_LISTED) return;
      const finding = `number ${number}, route ${route}: ${kind}: ${place} ${what}`
        .replace(/\s+/g, ' ')
        .trim();
      findings.set(key, finding);
      say(`Found: ${finding}`);
    },
  };
}

function nameStatus(status: number | null): string {
  return status === null ? 'broken off' : `${String(status)[0]}xx`;
}

function formatHold({ wallMs, cpuMs }: Hold): string {
  return `${Math.round(cpuMs)} ms of processor time (${Math.round(wallMs)} ms by the clock)`;
}
