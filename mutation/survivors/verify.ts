import type { SurvivorsByFile } from '../survivors.ts';

export const VERIFY: SurvivorsByFile = {};
