import type { AnsweredMail, ClaimEnd } from '@handover/domain';
import { expect, it } from 'vitest';
import { logAnswer } from '../src/serve/log.ts';

function log(changes: Partial<AnsweredMail>): string {
  const lines: string[] = [];
  const write = (level: string) => (_details: unknown, line: string) => void lines.push(`${level}: ${line}`);
  logAnswer(
    { info: write('info'), warn: write('warn'), error: write('error') },
    {
      job: { kind: 'send-email', orgId: 'org', emailId: 'receipt' },
      emailKind: 'receipt',
      answer: { kind: 'accepted', answer: '250 OK' },
      isGivenUp: false,
      end: 'completed',
      about: null,
      startedAt: new Date(0),
      endedAt: new Date(0),
      ...changes,
    },
  );
  return lines.join('\n');
}

it.each<[ClaimEnd, string]>([
  ['completed', 'info: receipt sent'],
  [
    'not-held',
    'warn: receipt answered; not recorded, since its claim was lost: another process has the mail, or it is not due any more',
  ],
  [
    'perhaps-completed',
    'warn: receipt answered; an answer of the database was lost: either this was recorded, or its claim was lost before that',
  ],
])('says what is true of a mail whose claim ended so: %s', (end, line) => {
  expect(log({ end })).toBe(line);
});

it('says whether a refused mail is tried again', () => {
  const busy = { kind: 'try-again', answer: '451' } as const;
  expect(log({ answer: busy })).toBe('warn: receipt not taken; it is tried again');
  expect(log({ answer: busy, isGivenUp: true })).toBe('error: receipt refused for good');
});

it('says which mail waits for the next hour', () => {
  expect(log({ answer: { kind: 'postponed', until: new Date(0), answer: 'The limit is reached.' } })).toBe(
    'warn: receipt waits',
  );
});

it('names the delivery, the order and the trace of a receipt', () => {
  const details: object[] = [];
  const write = (line: object) => void details.push(line);
  const delivery = {
    id: 'delivery',
    receivedAt: new Date(0),
    traceContext: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  };
  logAnswer(
    { info: write, warn: write, error: write },
    {
      job: { kind: 'send-email', orgId: 'org', emailId: 'receipt' },
      emailKind: 'receipt',
      answer: { kind: 'accepted', answer: '250 OK' },
      isGivenUp: false,
      end: 'completed',
      about: { orderNumber: '#1', delivery },
      startedAt: new Date(0),
      endedAt: new Date(0),
    },
  );
  expect(details).toEqual([
    {
      ...{ orgId: 'org', emailId: 'receipt', deliveryId: 'delivery', orderNumber: '#1' },
      ...{ traceId: 'a'.repeat(32), mailServer: '250 OK' },
    },
  ]);
});
