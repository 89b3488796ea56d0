import { normalizeEmail, type Organisation, type Role, type TeamMember } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { dialogButton, submitButton } from '../parts/button.ts';
import { confirmDialog } from '../parts/dialog.ts';
import { postForm } from '../parts/form.ts';
import { problemAlert } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { dayOf } from '../parts/time.ts';
import { roleField } from './role-field.ts';
import { leavingLoss, nameOf, TEAM } from './team-words.ts';

/** A member of the team: the role, and removal. A rejected change is explained beside its form. */
export function memberPage({
  member,
  user,
  csrfToken,
  stillMailed,
  wantedRole = member.role,
  roleProblem = null,
  removeProblem = null,
}: Pick<DashboardRequest, 'user' | 'csrfToken'> & {
  readonly member: TeamMember;
  /** See `findStillMailed`. */
  readonly stillMailed: string | null;
  readonly wantedRole?: Role;
  readonly roleProblem?: string | null;
  readonly removeProblem?: string | null;
}): Answer {
  const isSelf = member.id === user.userId;
  const address = `/dashboard/settings/team/${member.id}`;
  const organisation = user.membership?.organisationName ?? 'the organisation';
  const roleForm = html`${roleField(wantedRole, roleProblem, isSelf ? OWN_ROLE : undefined)}<div class="form-actions">${submitButton({ words: 'Save the role', primary: true })}</div>`;
  const main = html`${pageHeader({
    title: nameOf(member),
    back: TEAM,
    meta: [
      html`<bdi>${member.email}</bdi>`,
      html`Since ${dayOf(member.createdAt)}`,
      ...(isSelf ? ['This is you'] : []),
    ],
  })}<section class="card narrow"><section>${postForm({ action: `${address}/role`, csrfToken, body: roleForm })}</section>
<section class="form"><h2>${isSelf ? 'Leave the team' : 'Remove from the team'}</h2>
<p class="muted small">${isSelf ? LEAVING : 'The dashboard and the API are closed to them at once, and invitations that they sent are withdrawn. What they did stays in the activity log.'}</p>
${notesOnRemoval({ isSelf, member, stillMailed })}
${removeProblem && problemAlert(removeProblem)}
<div>${dialogButton('remove', { words: isSelf ? 'Leave the team' : 'Remove from the team', danger: true })}</div></section></section>
${removeDialog(member, { isSelf, organisation, csrfToken })}`;
  return {
    kind: 'page',
    status: roleProblem || removeProblem ? 400 : 200,
    title: nameOf(member),
    windowTitle: `${nameOf(member)} · Team`,
    main,
  };
}

function removeDialog(
  member: TeamMember,
  {
    isSelf,
    organisation,
    csrfToken,
  }: { readonly isSelf: boolean; readonly organisation: string; readonly csrfToken: string },
): Html {
  return confirmDialog({
    id: 'remove',
    title: isSelf ? `Leave ${organisation} yourself?` : `Remove ${nameOf(member)}?`,
    loss: isSelf
      ? leavingLoss(organisation)
      : `${nameOf(member)} loses every page of ${organisation}, is signed out everywhere, and this person’s API keys and passkeys stop working at once, in programs, too. An invitation brings them back, with a new key.`,
    action: `/dashboard/settings/team/${member.id}/remove`,
    words: isSelf ? 'Leave the team' : 'Remove from the team',
    csrfToken,
  });
}

/** What removing somebody does not end. */
function notesOnRemoval({
  isSelf,
  member,
  stillMailed,
}: {
  readonly isSelf: boolean;
  readonly member: TeamMember;
  readonly stillMailed: string | null;
}): Html {
  const mayKnowSecrets = !isSelf && member.role !== 'member';
  return html`${mayKnowSecrets && html`<p class="muted small">If they have seen the signing secret of a shop, <a href="/dashboard/settings/integrations">replace it</a> as well.</p>`}
${stillMailed && html`<p class="muted small">${stillMailed} still go to this address afterwards. <a href="/dashboard/settings/organisation">Choose another address</a> for them.</p>`}`;
}

/** What the organisation's settings mail to the address of a member, removed or not. */
export function findStillMailed(
  { alertEmail, email }: Pick<Organisation, 'alertEmail' | 'email'>,
  member: Pick<TeamMember, 'email'>,
): string | null {
  const isTheirs = (address: string) => normalizeEmail(address) === normalizeEmail(member.email);
  const getsReplies = isTheirs(email);
  if (alertEmail === null || !isTheirs(alertEmail)) return getsReplies ? 'Answers of buyers' : null;
  return getsReplies ? 'Alerts and answers of buyers' : 'Alerts';
}

const OWN_ROLE = 'This is your own role. As a member you no longer see orders, buyers and settings.';
const LEAVING = 'You lose what you see here at once, and cannot undo it yourself.';
