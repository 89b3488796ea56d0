import type { ProofOfOrigin } from '@handover/platform-contract';
import { judgeStrictly, REUSED_PAIR } from './judge-strictly.ts';
import { fingerprintPair, readSecurityPair } from './security-pair.ts';

/** The pair says nothing of the body, so it's remembered with which one it came. */
export const proofOfPair: ProofOfOrigin = {
  fingerprint: (inbound) => {
    const pair = readSecurityPair(inbound);
    return 'kind' in pair ? null : fingerprintPair(pair);
  },
  judgeStrictly: (inbound, entry, now) => {
    const pair = readSecurityPair(inbound);
    return 'kind' in pair ? pair : judgeStrictly(pair, entry, now);
  },
  reused: REUSED_PAIR,
};
