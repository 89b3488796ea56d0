/** The answer to one request, if any. */
export type Answer =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'unanswered'; readonly why: (typeof UNANSWERED)[number] }
  | { readonly kind: 'refused'; readonly status: number };

/** Why there was no answer. */
export const UNANSWERED = ['connection broken', 'timed out'] as const;

/** Sends one request like a platform: it waits for the whole answer, up to a timeout. */
export async function sendDelivery(
  url: URL,
  { body, headers }: { readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> },
  timeoutMs: number,
): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body), signal });
    await answer.arrayBuffer();
    return answer.ok ? { kind: 'acknowledged' } : { kind: 'refused', status: answer.status };
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return { kind: 'unanswered', why: isLate ? 'timed out' : 'connection broken' };
  }
}

/** The outcomes of the requests; each counts once, and every copy of a delivery is a separate request. */
export interface AnswerCounts {
  readonly requests: number;
  /** Answered 2xx. */
  readonly requestsAcknowledged: number;
  readonly unanswered: Readonly<Record<(typeof UNANSWERED)[number], number>>;
  /** Other answers, by status. */
  readonly refused: Readonly<Record<number, number>>;
}

/** Counts the outcomes of requests. */
export function createAnswerTally(): { add(answer: Answer): void; counts(): AnswerCounts } {
  const unanswered = { 'connection broken': 0, 'timed out': 0 };
  const refused: Record<number, number> = {};
  let requests = 0;
  let requestsAcknowledged = 0;
  return {
    add: (answer) => {
      requests += 1;
      if (answer.kind === 'acknowledged') requestsAcknowledged += 1;
      else if (answer.kind === 'unanswered') unanswered[answer.why] += 1;
      else refused[answer.status] = (refused[answer.status] ?? 0) + 1;
    },
    counts: () => ({
      requests,
      requestsAcknowledged,
      unanswered: { ...unanswered },
      refused: { ...refused },
    }),
  };
}

/** One metric a line. `acknowledged`: the orders with a request that was answered 2xx. */
export function describeAnswers(counts: AnswerCounts & { readonly acknowledged: number }): readonly string[] {
  const { requests, requestsAcknowledged, unanswered, refused, acknowledged } = counts;
  return [
    `requests ${requests}`,
    `requests acknowledged ${requestsAcknowledged}`,
    `requests without an answer ${sum(unanswered)}`,
    ...UNANSWERED.map((why) => `  ${why} ${unanswered[why]}`),
    `requests refused ${sum(refused)}`,
    ...Object.entries(refused).map(([status, count]) => `  status ${status} ${count}`),
    `acknowledged ${acknowledged}`,
  ];
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
