import type { Random } from '../kernel/random.ts';
import type { MessageFault, TcpProxy } from '../network/tcp-proxy.ts';

/** What goes wrong between the pool and PostgreSQL during one call of a port. */
export type ConnectionFault = MessageFault | 'refuse' | 'delay';

const FAULTS: readonly [ConnectionFault, ...ConnectionFault[]] = [
  'cut-before',
  'cut-within',
  'lose-answer',
  'lose-answer',
  'half-close-server',
  'half-close-client',
  'refuse',
  'delay',
];

/** Which message of the call is hit: what a commit says, or the first ones. Those that a call does not send are not hit. */
const TARGETS = ['commit', 'commit', 0, 1, 2, 4] as const;

const DELAY_MS = 20;

/** Breaks the connections of one pool, at most once in each call. */
export interface ConnectionBreaker {
  /** Draws what goes wrong with the next call, if anything, and prepares it. */
  arm(call: string, perMille: number): Promise<ConnectionFault | null>;
  /** Ends what was prepared, whether it came to pass or not. */
  disarm(): Promise<void>;
}

export function createConnectionBreaker(proxy: TcpProxy, draw: () => Random): ConnectionBreaker {
  return {
    arm: async (call, perMille) => {
      const random = draw();
      if (!random.perMille(perMille)) return null;
      const fault = random.pick(FAULTS);
      const target = random.pick(TARGETS);
      const how = random.pick(['reset', 'close'] as const);
      if (fault === 'delay') {
        proxy.delay('to-client', DELAY_MS);
        proxy.delay('to-server', DELAY_MS);
      } else if (fault === 'refuse') {
        // What was mailed is written down however long it takes, so that call would wait for the proxy to be healed.
        if (call.includes('complete')) return null;
        proxy.cut(how);
        await proxy.refuse();
      } else void proxy.failNext(fault, matchMessage(target), how);
      return fault;
    },
    disarm: async () => {
      proxy.disarm();
      await proxy.heal();
    },
  };
}

function matchMessage(target: (typeof TARGETS)[number]): (message: Buffer) => boolean {
  if (target === 'commit') return (message) => message.includes('commit');
  let before = target;
  return () => {
    before -= 1;
    return before < 0;
  };
}
