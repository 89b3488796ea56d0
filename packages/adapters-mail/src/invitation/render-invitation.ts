import type { InvitationMail, Role } from '@handover/domain';
import { INVITATION_LIFETIME_MS } from '@handover/domain';
import { oneLine } from '../one-line.ts';
import type { RenderedMail } from '../receipt/render-receipt.ts';
import { renderServiceMail } from '../service-mail.ts';

const MAX_NAME_LENGTH = 100;
const DAY_MS = 24 * 60 * 60 * 1000;
const UNTIL = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** Renders the mail that invites someone to a shop's team. */
export function renderInvitation({ role, url, expiresAt, ...mail }: InvitationMail): RenderedMail {
  const organisationName = oneLine(mail.organisationName, MAX_NAME_LENGTH);
  const inviter = oneLine(mail.inviter, MAX_NAME_LENGTH);
  const words = {
    subject: `${inviter} invites you to ${organisationName} on Handover`,
    heading: `Join ${organisationName} on Handover`,
    lead: `${inviter} invites you to the team of ${organisationName}, as ${ROLE_WORDS[role]}. With Handover, ${organisationName} delivers its digital products to buyers. ${RIGHTS[role]}`,
    button: 'See the invitation',
    lifetime: `The invitation is valid for ${INVITATION_LIFETIME_MS / DAY_MS} days, until ${UNTIL.format(expiresAt)} UTC. You join only when you accept it.`,
    notYou: `You do not know ${inviter} or ${organisationName}? Then ignore this mail: nobody can accept the invitation without it.`,
  };
  return renderServiceMail(words, url);
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  admin: 'an admin',
  member: 'a member',
};

const RIGHTS: Readonly<Record<Role, string>> = {
  owner: 'As an owner you see and change everything there.',
  admin: 'As an admin you see and change everything there, except the owners.',
  member: 'As a member you work on products and their files.',
};
