import { createInMemoryStores } from '@handover/domain/memory';
import { ACTIONS } from './history.ts';
import { CALL_FAULTS } from './kernel/connect-stores.ts';
import { LIVENESS_RULES } from './rules/liveness.ts';
import { SAFETY_RULES } from './rules/safety.ts';
import { WATCHED_RULES } from './rules/watched.ts';
import { MAIL_WEATHERS } from './world/mail-server.ts';
import { SERVICE_PORTS } from './world/service.ts';

/** In this many histories, everything must have happened. */
export const COMPLETE_AFTER_HISTORIES = 2_000;

/**
 * Everything that must have happened in a run of some thousand histories: each action, each rule on a case that could
 * have broken it, each fault, and each fault of a call at each port.
 */
export function listExpected(): readonly string[] {
  const ports = [
    ...Object.keys(createInMemoryStores()).filter((name) => !OF_TESTS.includes(name)),
    ...SERVICE_PORTS,
  ];
  return [
    ...ACTIONS.map(({ name }) => `action: ${name}`),
    ...Object.keys({ ...SAFETY_RULES, ...LIVENESS_RULES, ...WATCHED_RULES }).map((name) => `rule: ${name}`),
    ...MAIL_WEATHERS.map((weather) => `fault: mail server ${weather}`),
    ...ports.flatMap((port) => CALL_FAULTS.map((fault) => `fault: ${port} ${fault}`)),
  ];
}

/** Not ports: a test uses these to read the stores from outside. */
const OF_TESTS = ['queuedJobs', 'finishJob', 'expireClaims'];

/** What did not happen, but must. */
export function findMissing(counts: ReadonlyMap<string, number>): readonly string[] {
  return listExpected().filter((name) => !counts.get(name));
}

export function addCounts(total: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [name, count] of more) total.set(name, count + (total.get(name) ?? 0));
}

/** How often each action, outcome, job, fault and check of a rule occurred. */
export function printCounts(counts: ReadonlyMap<string, number>): void {
  for (const [what, times] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${String(times).padStart(9)}  ${what}`);
  }
}
