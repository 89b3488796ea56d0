import type { CheckResult, InstallationDoctor } from '@handover/adapters-http';
import { normalizeEmail } from '@handover/domain';
import type { Settings } from '../settings/settings.ts';
import { classifyTestMail, evaluateFindings } from './evaluate-findings.ts';
import { examineInstallation, examineMail } from './examine-installation.ts';

/** A page that is loaded again and again asks the mail server and the DNS once in this time. */
const KEPT_MS = 10_000;

/** The checks of `handover doctor`, and a test mail, for a page of the running server. */
export function createDoctor(settings: Settings, databaseUrl: string): InstallationDoctor {
  let checked: { readonly at: number; readonly results: Promise<readonly CheckResult[]> } | null = null;
  const check = async () => {
    const options = { mailTo: null, dkimSelector: null };
    return evaluateFindings(await examineInstallation(settings, async () => databaseUrl, options));
  };
  return {
    isOperator: (email) =>
      settings.operators.includes(normalizeEmail(email)) ||
      (settings.isLocalTrial && settings.operators.length === 0),
    check: () => {
      const now = performance.now();
      if (!checked || now - checked.at > KEPT_MS) checked = { at: now, results: check() };
      return checked.results;
    },
    sendTestMail: async (email) => classifyTestMail(await examineMail(settings, email)),
  };
}
