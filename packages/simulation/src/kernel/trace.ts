/** The events of one history. */
export interface Trace {
  /** Records an event. Two runs of one seed record the same events, in the same order. */
  note(event: string): void;
  /** Counts something for a report: see `coverage.ts`. */
  count(what: string, times?: number): void;
  /** A short hash of all events: equal for two runs of one history, and hardly ever for two histories. */
  digest(): string;
  readonly counts: ReadonlyMap<string, number>;
}

export function createTrace(): Trace {
  const counts = new Map<string, number>();
  let hash = 0x811c9dc5;
  return {
    counts,
    note: (event) => {
      for (let at = 0; at < event.length; at += 1) hash = Math.imul(hash ^ event.charCodeAt(at), 0x01000193);
    },
    count: (what, times = 1) => {
      counts.set(what, times + (counts.get(what) ?? 0));
    },
    digest: () => (hash >>> 0).toString(16).padStart(8, '0'),
  };
}
