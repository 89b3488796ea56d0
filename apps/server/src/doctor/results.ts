import type { CheckResult } from '@handover/adapters-http';

export function good(area: CheckResult['area'], finding: string): CheckResult {
  return { area, state: 'good', finding, fix: null };
}

export function warn(area: CheckResult['area'], finding: string, fix: string): CheckResult {
  return { area, state: 'warning', finding, fix };
}

export function bad(area: CheckResult['area'], finding: string, fix: string): CheckResult {
  return { area, state: 'problem', finding, fix };
}
