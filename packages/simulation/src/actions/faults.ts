import { type Action, pickSlot } from './action.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Faults, and their recovery. */
export const FAULT_ACTIONS: readonly Action[] = [
  {
    name: 'time passes',
    weight: 10,
    begin: (world) => {
      const wait = world.random.pick([
        SECOND,
        6 * SECOND,
        20 * SECOND,
        20 * SECOND,
        2 * MINUTE,
        2 * MINUTE,
        11 * MINUTE,
        11 * MINUTE,
        2 * HOUR,
        50 * HOUR,
      ]);
      world.pendingWait = wait;
      return `${formatDuration(wait)} pass.`;
    },
  },
  {
    name: 'the version of a worker changes',
    weight: 2,
    begin: (world) => {
      const { ofAnotherVersion } = world;
      const { process } = pickSlot(world, 'worker');
      if (ofAnotherVersion.delete(process)) return `${process.name} can read all orders again.`;
      ofAnotherVersion.add(process);
      return `${process.name} is of another version, which can read no order.`;
    },
  },
  {
    name: 'a process dies',
    weight: 4,
    begin: (world) => {
      const slot = pickSlot(world, world.random.pick(['web', 'worker']));
      const { name } = slot.process;
      world.restart(slot);
      return `The process ${name} dies, and ${slot.process.name} takes its place.`;
    },
  },
  {
    name: 'a process freezes',
    weight: 3,
    begin: (world) => {
      const { process } = pickSlot(world, world.random.pick(['web', 'worker']));
      const length = 1 + world.random.below(60);
      process.freeze(length * SECOND);
      return `The process ${process.name} freezes for ${length} s.`;
    },
  },
  {
    name: 'a clock goes wrong',
    weight: 2,
    begin: (world) => {
      const slot = pickSlot(world, world.random.pick(['web', 'worker']));
      slot.skewMs = world.random.pick([0, -5 * SECOND, -SECOND, 3 * SECOND]);
      slot.process.skewClock(slot.skewMs);
      return `The clock of ${slot.process.name} is ${slot.skewMs / SECOND} s ahead.`;
    },
  },
  {
    name: 'the way to the database changes',
    weight: 6,
    begin: (world) => {
      world.faultsPerMille = world.random.pick([0, 0, 10, 50, 200]);
      return `Of 1000 calls to the database, ${world.faultsPerMille} go wrong.`;
    },
  },
  {
    name: 'the mail server changes its mind',
    weight: 6,
    begin: (world) => {
      const weather = world.random.pick([
        'accepts',
        'accepts',
        'accepts-late',
        'accepts-unheard',
        'try-again',
        'refuses',
        'mixed',
      ] as const);
      world.mailServer.setWeather(weather);
      return `The mail server ${weather}.`;
    },
  },
  {
    name: 'a job is given to two workers',
    weight: 3,
    begin: (world) => {
      const job = world.queue.release((count) => world.random.below(count));
      return job ? `A job is given to another worker as well: ${job.kind}.` : null;
    },
  },
];

function formatDuration(milliseconds: number): string {
  if (milliseconds >= HOUR) return `${milliseconds / HOUR} h`;
  return milliseconds >= MINUTE ? `${milliseconds / MINUTE} min` : `${milliseconds / SECOND} s`;
}
