import { isErased } from '@handover/domain';
import type { Html } from '@handover/html';
import { longText } from './long-text.ts';

/** A buyer's address in a list. That of an erased buyer tells people nothing. */
export function buyerAddress(email: string): Html | null {
  return isErased(email) ? null : longText(email);
}
