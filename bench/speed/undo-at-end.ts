/** What a program has to undo before it ends: its databases and servers would outlive it. */
export interface UndoAtEnd {
  later(step: () => Promise<unknown>): void;
  /** Undoes everything, the latest first. It never rejects. */
  all(): Promise<void>;
}

/** Undoes everything when a signal ends this process, too. */
export function undoAtEnd(): UndoAtEnd {
  const steps: (() => Promise<unknown>)[] = [];
  const all = async () => {
    for (const step of steps.splice(0).toReversed()) await step().catch((error) => console.error(error));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void all().finally(() => process.exit(130)));
  return { later: (step) => void steps.push(step), all };
}
