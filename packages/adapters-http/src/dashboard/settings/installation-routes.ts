import { sendTestMail } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { formatDuration } from '../../pages/words.ts';
import { action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { installationPage, type TestMailNotice } from './installation-page.ts';
import { type InstallationDoctor, isOperator, type SentTestMail } from './installation-report.ts';

export const INSTALLATION_PATH = '/settings/installation';

/** What `handover doctor` says, for owners who operate the installation. For everybody else there is no such page. */
export function installationRoutes(
  ports: Pick<HttpPorts, 'activity' | 'clock' | 'ids' | 'throttles'>,
  doctor: InstallationDoctor,
): readonly DashboardRoute[] {
  const show = async ({ csrfToken, user }: DashboardRequest, testMail: TestMailNotice | null) =>
    installationPage({ csrfToken, email: user.email, results: await doctor.check(), testMail });

  return [
    page(INSTALLATION_PATH, 'admin', async (context) =>
      isOperator(doctor, context.user) ? show(context, null) : { kind: 'not-found' },
    ),

    // The address of the page, so that its answer can be reloaded.
    action(INSTALLATION_PATH, 'admin', async (context) => {
      if (!isOperator(doctor, context.user)) return { kind: 'not-found' };
      const { orgId, by, user, now } = context;
      const send = (email: string) => doctor.sendTestMail(email);
      const sent = await sendTestMail(
        { ...ports, send },
        { orgId, by },
        { id: user.userId, email: user.email },
      );
      return show(context, sent.kind === 'too-often' ? refuse(sent.until, now) : describe(sent, user.email));
    }),
  ];
}

function refuse(until: Date, now: Date): TestMailNotice {
  const wait = formatDuration(until.getTime() - now.getTime());
  const sentence = `Too many test mails were sent. You can send another in ${wait}.`;
  return { tone: 'error', status: 429, title: 'No test mail was sent', sentence };
}

function describe({ kind, answer, fix }: SentTestMail, email: string): TestMailNotice {
  if (kind === 'accepted') {
    const sentence = `It accepted the test mail to ${email}: “${answer}”. Look into that mailbox, and its spam folder.`;
    return { tone: 'success', status: 200, title: 'The mail server accepted it', sentence };
  }
  const title = kind === 'refused' ? 'The mail server refused it' : 'No test mail was sent';
  return { tone: 'error', status: 200, title, sentence: `“${answer}”.${fix === null ? '' : ` ${fix}`}` };
}
