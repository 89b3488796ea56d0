import { createRandom, type Random } from '../../bench/attack/random.ts';

export const PROGRAMS = ['web-1', 'web-2', 'worker-1', 'worker-2'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

export type MailMood = 'delays' | 'refuses' | 'loses-answers' | 'is-away';
export type NetworkFault = 'reset' | 'close' | 'refuse' | 'stall' | 'lose-answer-of-commit';

/** One fault, and its duration. */
export type Fault =
  | { readonly kind: 'kill' | 'freeze'; readonly program: ProgramName; readonly ms: number }
  | {
      readonly kind: 'clock-jumps';
      readonly program: ProgramName;
      readonly aheadMs: number;
      readonly ms: number;
    }
  | { readonly kind: 'database-stops' | 'disk-full'; readonly ms: number }
  | { readonly kind: 'network'; readonly how: NetworkFault; readonly ms: number }
  | { readonly kind: 'mail-server'; readonly mood: MailMood; readonly ms: number };

/**
 * A fault, and the pause before the next one begins. A fault that lasts longer than the pause overlaps with the next.
 */
export interface PlannedFault {
  readonly fault: Fault;
  readonly pauseMs: number;
}

export interface FaultLimits {
  readonly longestFreezeMs: number;
  /** Whether there is a small file system that can be filled. */
  readonly canFillDisk: boolean;
}

const SECOND = 1_000;
const MINUTE = 60_000;

/** Plans this many faults, the same for the same seed. Kinds rotate, so that few faults cover many kinds. */
export function planFaults(seed: number, count: number, limits: FaultLimits): readonly PlannedFault[] {
  const random = createRandom(seed);
  const planned: PlannedFault[] = [];
  let deck: Fault['kind'][] = [];
  while (planned.length < count) {
    if (deck.length === 0) deck = shuffle(random, limits.canFillDisk ? [...DECK, 'disk-full'] : DECK);
    const kind = deck.pop() ?? 'kill';
    planned.push({ fault: makeFault(kind, random, limits), pauseMs: 300 + random.below(2_500) });
  }
  return planned;
}

/** The relative frequency of each kind. A full disk takes the longest, and occurs once. */
const DECK: readonly Fault['kind'][] = [
  'kill',
  'kill',
  'kill',
  'freeze',
  'freeze',
  'clock-jumps',
  'clock-jumps',
  'database-stops',
  'network',
  'network',
  'network',
  'mail-server',
  'mail-server',
];

function makeFault(kind: Fault['kind'], random: Random, { longestFreezeMs }: FaultLimits): Fault {
  const between = (from: number, to: number) => from + random.below(to - from);
  const program = random.pick(PROGRAMS);
  switch (kind) {
    case 'kill':
      return { kind, program, ms: between(0, 3 * SECOND) };
    case 'freeze': {
      const ms = random.pick([
        between(SECOND, 4 * SECOND),
        between(4 * SECOND, 20 * SECOND),
        longestFreezeMs,
      ]);
      return { kind, program, ms: Math.min(ms, longestFreezeMs) };
    }
    case 'clock-jumps': {
      const aheadMs = random.pick([
        -120 * MINUTE,
        -2 * MINUTE,
        -5 * SECOND,
        5 * SECOND,
        10 * MINUTE,
        120 * MINUTE,
      ]);
      return { kind, program, aheadMs, ms: between(2 * SECOND, 15 * SECOND) };
    }
    case 'database-stops':
      return { kind, ms: between(0, 4 * SECOND) };
    case 'disk-full':
      return { kind, ms: between(2 * SECOND, 6 * SECOND) };
    case 'network': {
      const how = random.pick(['reset', 'close', 'refuse', 'stall', 'lose-answer-of-commit'] as const);
      return { kind, how, ms: between(500, 6 * SECOND) };
    }
    case 'mail-server': {
      const mood = random.pick(['delays', 'refuses', 'loses-answers', 'is-away'] as const);
      return { kind, mood, ms: between(SECOND, 6 * SECOND) };
    }
  }
}

function shuffle<T>(random: Random, from: readonly T[]): T[] {
  const left = [...from];
  return from.map(() => left.splice(random.below(left.length), 1)[0] as T);
}

/** A sentence for the output. */
export function describeFault(fault: Fault): string {
  const seconds = `${(fault.ms / SECOND).toFixed(1)} s`;
  switch (fault.kind) {
    case 'kill':
      return `${fault.program} is killed, and starts again after ${seconds}`;
    case 'freeze':
      return `${fault.program} freezes for ${seconds}`;
    case 'clock-jumps':
      return `the clock of ${fault.program} jumps by ${fault.aheadMs / SECOND} s, and is set right after ${seconds}`;
    case 'database-stops':
      return `PostgreSQL stops at once (pg_ctl stop -m immediate), and starts again after ${seconds}`;
    case 'disk-full':
      return `the disk of PostgreSQL is full for ${seconds}`;
    case 'network':
      return `the network to PostgreSQL: ${NETWORK_WORDS[fault.how]} (${seconds})`;
    case 'mail-server':
      return `the mail server ${MAIL_WORDS[fault.mood]} for ${seconds}`;
  }
}

const NETWORK_WORDS: Readonly<Record<NetworkFault, string>> = {
  reset: 'every connection is reset',
  close: 'every connection is closed',
  refuse: 'every connection is cut, and new ones are refused',
  stall: 'nothing goes through, and nobody is told',
  'lose-answer-of-commit': 'a commit is applied, and its answer is lost',
};

const MAIL_WORDS: Readonly<Record<MailMood, string>> = {
  delays: 'is slow',
  refuses: 'refuses every mail for now',
  'loses-answers': 'accepts mails and hangs up without an answer',
  'is-away': 'is away',
};
