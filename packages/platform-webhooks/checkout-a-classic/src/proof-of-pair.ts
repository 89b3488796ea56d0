import type { ProofOfOrigin } from '@handover/platform-contract';
import { checkStrictly, REUSED_PAIR } from './check-strictly.ts';
import { fingerprintPair, readSecurityPair } from './security-pair.ts';

/** The pair says nothing of the body, so it's remembered with which one it came. */
export const proofOfPair: ProofOfOrigin = {
  fingerprint: (inbound) => {
    const pair = readSecurityPair(inbound);
    return 'kind' in pair ? null : fingerprintPair(pair);
  },
  checkStrictly: (inbound, entry, now) => {
    const pair = readSecurityPair(inbound);
    return 'kind' in pair ? pair : checkStrictly(pair, entry, now);
  },
  reused: REUSED_PAIR,
};
