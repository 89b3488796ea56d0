import { ACCESS_ACTIONS } from './actions/access.ts';
import type { Action } from './actions/action.ts';
import { API_KEY_ACTIONS } from './actions/api-keys.ts';
import { BUYER_ACTIONS } from './actions/buyers.ts';
import { CATALOGUE_ACTIONS } from './actions/catalogue.ts';
import { FAULT_ACTIONS } from './actions/faults.ts';
import { ORDER_ACTIONS } from './actions/orders.ts';
import { PASSKEY_ACTIONS } from './actions/passkeys.ts';
import { PURCHASE_ACTIONS } from './actions/purchases.ts';
import { SETTINGS_ACTIONS } from './actions/settings.ts';
import { TEAM_ACTIONS } from './actions/team.ts';
import { VIEW_ACTIONS } from './actions/views.ts';
import { createRandom } from './kernel/random.ts';

export const ACTIONS: readonly Action[] = [
  ...ORDER_ACTIONS,
  ...CATALOGUE_ACTIONS,
  ...PURCHASE_ACTIONS,
  ...BUYER_ACTIONS,
  ...ACCESS_ACTIONS,
  ...API_KEY_ACTIONS,
  ...PASSKEY_ACTIONS,
  ...TEAM_ACTIONS,
  ...SETTINGS_ACTIONS,
  ...VIEW_ACTIONS,
  ...FAULT_ACTIONS,
];

/** The next event. Its own seed decides all its random choices, so it stays the same without its neighbours. */
export interface Step {
  readonly action: Action;
  readonly seed: number;
}

/** All events in order, for a world that always begins in the same state. */
export interface History {
  readonly seed: number;
  readonly steps: readonly Step[];
}

export function drawHistory(seed: number, length: number): History {
  const random = createRandom(seed);
  const total = ACTIONS.reduce((sum, { weight }) => sum + weight, 0);
  const steps = Array.from({ length }, (): Step => {
    const action = pickByWeight(random.below(total));
    return { action, seed: random.below(0x7fffffff) };
  });
  return { seed, steps };
}

function pickByWeight(drawn: number): Action {
  let rest = drawn;
  for (const action of ACTIONS) {
    if (rest < action.weight) return action;
    rest -= action.weight;
  }
  throw new Error('No action has that weight.');
}
