import type { Random } from '../kernel/random.ts';
import type { MessageFault, TcpProxy } from '../network/tcp-proxy.ts';

/** The fault between the pool and PostgreSQL during one call of a port. */
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

/**
 * Which message of the call is hit: the commit, or one of the first ones. Messages that a call does not send are not
 * hit.
 */
const TARGETS = ['commit', 'commit', 0, 1, 2, 4] as const;

const DELAY_MS = 20;

/** Breaks the connections of one pool, at most once per call. */
export interface ConnectionBreaker {
  /** Draws the fault of the next call, if any, and prepares it. */
  arm(call: string, perMille: number): Promise<ConnectionFault | null>;
  /** Ends the prepared fault, whether it happened or not. */
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
        // Recording a sent mail retries for ever, so that call would wait for the proxy to heal.
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
