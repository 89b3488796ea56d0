import { isExpected } from '../world/expected-errors.ts';
import type { ProcessSlot, SimulatedShop, World } from '../world/open-world.ts';
import type { Service } from '../world/service.ts';

/** One kind of event. It draws every random choice from the world's random source. */
export interface Action {
  readonly name: string;
  /** Its relative frequency. */
  readonly weight: number;
  /** Begins it, and returns a sentence that describes it. Null: there is nothing to apply it to. */
  begin(world: World): string | null;
}

/**
 * A person's action at one of the web processes. It fails as that process fails, and may be incomplete when it
 * crashes.
 */
export function operate(world: World, what: string, work: (service: Service) => Promise<unknown>): string {
  const { service, process } = pickSlot(world, 'web');
  const { acting } = world;
  world.begin(what, async () => {
    const outcome = await work(service).catch((error: unknown) => {
      if (isExpected(error)) return { kind: 'failed' };
      throw error;
    });
    world.trace.note(`${what}: ${nameOutcome(outcome)}`);
    world.trace.count(`outcome: ${acting}: ${nameOutcome(outcome)}`);
  });
  return `${what} (at ${process.name}).`;
}

/** An action on something that is picked; null where there is none. */
export function onPicked<Row>(
  pick: (world: World) => Row | undefined,
  begin: (world: World, row: Row) => string | null,
): Action['begin'] {
  return (world) => {
    const row = pick(world);
    return row === undefined ? null : begin(world, row);
  };
}

function nameOutcome(outcome: unknown): string {
  if (typeof outcome === 'string') return outcome;
  if (typeof outcome === 'object' && outcome !== null && 'kind' in outcome) return String(outcome.kind);
  return 'done';
}

export function pickShop({ shops, random }: World): SimulatedShop {
  const shop = shops[random.below(shops.length)];
  if (!shop) throw new Error('There is no shop.');
  return shop;
}

export function pickSlot({ slots, random }: World, role: ProcessSlot['role']): ProcessSlot {
  const fitting = slots.filter((slot) => slot.role === role);
  const slot = fitting[random.below(fitting.length)];
  if (!slot) throw new Error(`There is no ${role} process.`);
  return slot;
}

/** One of the rows, by their order; undefined if there is none. */
export function pickRow<Row>(world: World, rows: Iterable<Row>): Row | undefined {
  const all = [...rows];
  return all.length === 0 ? undefined : all[world.random.below(all.length)];
}
