import { endOnSignal } from '../../apps/server/src/composition/end-on-signal.ts';

type Step = () => Promise<unknown>;

/** What a program has to undo before it ends: its databases and servers would outlive it. */
export interface UndoAtEnd {
  later(step: Step): void;
  /** Resolves with what is opened, which is closed later; when it is open, if this process has to end before. */
  opened<Opened>(opening: Promise<Opened>, close: (opened: Opened) => Promise<unknown>): Promise<Opened>;
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
  const later = (step: Step) => void steps.push(step);
  return {
    later,
    opened: (opening, close) => {
      later(() => opening.then(close, () => undefined));
      return opening;
    },
    all,
  };
}
