import type { SurvivorsByFile } from '../survivors.ts';

export const RECEIPTS: SurvivorsByFile = {
  'packages/domain/src/model/outgoing-email.ts': [
    {
      line: "export const NO_ORGANISATION = '00000000-0000-0000-0000-000000000000';",
      change: `'00000000-0000-0000-0000-000000000000' → ""`,
      reason: 'In memory whatever is the id of no organisation will do; PostgreSQL takes nothing but a UUID.',
    },
  ],
  'packages/domain/src/purchases/resend-receipt.ts': [
    {
      line: 'for (let tried = 0; tried < TRIES; tried += 1) {',
      change: 'tried < TRIES → tried <= TRIES',
      reason: 'One try more after ten in vain makes no difference.',
    },
  ],
};
