import type { Html } from '@handover/html';
import { selectField } from '../parts/form.ts';
import { ROLE_OPTIONS } from './team-words.ts';

/** The role of somebody who is invited, or is in the team. */
export function roleField(
  role: string,
  problem: string | null,
  help = 'Owners and admins see everything. Members see products, downloads and who downloaded; no orders, no amounts, no settings.',
): Html {
  return selectField({ name: 'role', label: 'Role', value: role, options: ROLE_OPTIONS, help, problem });
}
