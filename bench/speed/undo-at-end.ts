import { endOnSignal } from '../../apps/server/src/composition/end-on-signal.ts';

type Step = () => Promise<unknown>;

/** What a program has to undo before it ends: its databases and servers would outlive it. */
export interface UndoAtEnd {
  later(step: Step): void;
  /** Undoes everything, the latest first, and waits for what another call is undoing. It never rejects. */
  all(): Promise<void>;
}

/** Undoes everything when a signal ends this process, too. */
export function undoAtEnd(): UndoAtEnd {
  const steps: Step[] = [];
  let undoing = Promise.resolve();
  const undo = async () => {
    // A step can wait for a start, which adds its own.
    for (let step = steps.pop(); step; step = steps.pop())
      await step().catch((error) => console.error(error));
    stayOnSignal();
  };
  const all = () => {
    undoing = undoing.then(undo);
    return undoing;
  };
  const stayOnSignal = endOnSignal(all);
  return { later: (step) => void steps.push(step), all };
}
