import { sendTestMail } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { HttpPorts } from '../../http-ports.ts';
import { formatDuration } from '../../pages/words.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { statusBadge } from '../parts/badge.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { postForm } from '../parts/form.ts';
import { alertIcon, mailFailedIcon, mailSentIcon, refreshIcon, sendIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { noticePanel } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { table } from '../parts/table.ts';
import {
  type CheckArea,
  type CheckResult,
  type InstallationDoctor,
  isOperator,
  type SentTestMail,
} from './installation-report.ts';

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
      return show(
        context,
        sent.kind === 'too-often' ? refuse(sent.until, now) : noticeOfSent(sent, user.email),
      );
    }),
  ];
}

function refuse(until: Date, now: Date): TestMailNotice {
  const wait = formatDuration(until.getTime() - now.getTime());
  const sentence = `Too many test mails were sent. You can send another in ${wait}.`;
  return { tone: 'error', status: 429, title: 'No test mail was sent', sentence };
}

function noticeOfSent({ kind, answer, fix }: SentTestMail, email: string): TestMailNotice {
  if (kind === 'accepted') {
    const sentence = `It accepted the test mail to ${email}: “${answer}”. Look into that mailbox, and its spam folder.`;
    return { tone: 'success', status: 200, title: 'The mail server accepted it', sentence };
  }
  const title = kind === 'refused' ? 'The mail server refused it' : 'No test mail was sent';
  return { tone: 'error', status: 200, title, sentence: `“${answer}”.${fix === null ? '' : ` ${fix}`}` };
}

const ADDRESS = '/dashboard/settings/installation';

/** What became of a test mail, in words. */
export interface TestMailNotice {
  readonly tone: 'success' | 'error';
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
}

interface InstallationView {
  readonly csrfToken: string;
  /** Of the signed-in owner: where a test mail goes. */
  readonly email: string;
  readonly results: readonly CheckResult[];
  readonly testMail: TestMailNotice | null;
}

export function installationPage({ csrfToken, email, results, testMail }: InstallationView): Answer {
  const again = linkButton(ADDRESS, { words: 'Check again', icon: refreshIcon });
  const stripe = linkButton(`${ADDRESS}/payments-a`, { words: 'Manage Stripe' });
  const main = html`${pageHeader({
    title: 'Installation',
    meta: ['Checked just now'],
    actions: [again, stripe],
  })}
<div class="stack">${testMailNotice(testMail)}${notice(results)}<section class="card">${table({
    label: 'Checks of the installation',
    columns: [
      { head: 'Part', cell: ({ area }) => AREAS[area] },
      { head: 'What we found', cell: describe, narrow: 'line' },
      { head: 'Status', cell: ({ state }) => statusBadge('check', state), narrow: 'corner' },
    ],
    rows: results,
  })}</section>
${testMailCard(email, csrfToken)}
<p class="muted small">Only you and the other operators of this service see this page. <span class="chip">handover doctor --mail-to …</span> says and does the same on the command line.</p></div>`;
  return { kind: 'page', status: testMail?.status ?? 200, title: 'Installation', main };
}

function testMailCard(email: string, csrfToken: string): Html {
  const body = html`<div class="form-actions">${submitButton({ words: 'Send a test mail', icon: sendIcon })}</div>`;
  const form = postForm({ action: ADDRESS, csrfToken, body });
  return html`<section class="card" aria-labelledby="test-mail-title"><header><h2 id="test-mail-title">Test mail</h2></header><section class="form"><p class="muted small">Goes to you, <bdi>${email}</bdi>, through the mail server of this installation. This page shows what the mail server answers.</p>${form}</section></section>`;
}

function testMailNotice(testMail: TestMailNotice | null): Html | null {
  if (!testMail) return null;
  const icon = testMail.tone === 'success' ? mailSentIcon : mailFailedIcon;
  return html`<div role="status">${noticePanel({ ...testMail, icon })}</div>`;
}

function notice(results: readonly CheckResult[]): Html | null {
  const count = results.filter(({ state }) => state === 'problem').length;
  if (count === 0) return null;
  return noticePanel({
    tone: 'error',
    icon: alertIcon,
    title: count === 1 ? 'One thing must be fixed' : `${count} things must be fixed`,
    sentence: 'Nothing that was received is lost. The list says what to do.',
  });
}

function describe({ finding, fix }: CheckResult): Html {
  return html`${longText(finding)}${fix === null ? '' : html`<br><span class="muted">${longText(fix)}</span>`}`;
}

const AREAS: Readonly<Record<CheckArea, string>> = {
  settings: 'Settings',
  database: 'Database',
  mail: 'Mail',
  files: 'Files',
  dns: 'DNS of the sender',
  clock: 'Clock',
  site: 'Public address',
};
