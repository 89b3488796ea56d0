import type { SurvivorsByFile } from '../survivors.ts';

export const RECEIPTS: SurvivorsByFile = {
  'packages/domain/src/receipts/resend-receipt.ts': [
    {
      line: 'for (let tried = 0; tried < TRIES; tried += 1) {',
      change: 'tried < TRIES → tried <= TRIES',
      reason: 'One try more after ten in vain makes no difference.',
    },
  ],
};
