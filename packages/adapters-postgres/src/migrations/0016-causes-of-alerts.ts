import type { Migration } from './migration-kinds.ts';

export const causesOfAlerts: Migration = {
  kind: 'validation',
  compatibleWith: '0015-rejected-alerts',
  constraints: [{ table: 'alerts', name: 'alerts_cause_check' }],
};
