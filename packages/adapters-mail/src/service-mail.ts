import {
  INVITATION_LIFETIME_MS,
  type InvitationMail,
  type NewDeviceMail,
  type Role,
  SIGN_IN_LIFETIME_MS,
  type SignInMail,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { LEAD, mailButton, mailLink, mailPage, mailTop, type RenderedMail, SMALL } from './mail-page.ts';
import { en } from './messages/en.ts';
import { oneLine } from './one-line.ts';

/** The text of a mail from the service itself with one link. Plain text, not HTML. */
interface ServiceMailWords {
  readonly subject: string;
  readonly heading: string;
  readonly lead: string;
  readonly button: string;
  /** How long the link works, and what it does. */
  readonly lifetime: string;
  /** For a recipient who did not expect the mail. */
  readonly notYou: string;
}

/** Renders such a mail as HTML and as plain text with the same sentences. */
function renderServiceMail(words: ServiceMailWords, url: string): RenderedMail {
  return { subject: words.subject, html: String(serviceHtml(words, url)), text: serviceText(words, url) };
}

function serviceHtml(
  { subject, heading, lead, button, lifetime, notYou }: ServiceMailWords,
  url: string,
): Html {
  const card = html`
    ${mailTop('Handover', heading)}
    <p style="margin:0 0 24px;${LEAD}">${lead}</p>
    ${mailButton(url, button)}
    <p style="margin:20px 0 0;${SMALL}">${lifetime}</p>`;
  const below = html`<p style="margin:0;${SMALL}">${notYou}</p>
    <p style="margin:0;${SMALL}">${en.pasteOne}</p>
    ${mailLink(url)}`;
  return mailPage({ title: subject, preview: lifetime, card, below });
}

function serviceText({ heading, lead, lifetime, notYou }: ServiceMailWords, url: string): string {
  return `${[heading, lead, url, lifetime, notYou, '-- \nHandover'].join('\n\n')}\n`;
}

/** Renders the mail with a one-time link. */
export function renderSignIn({ url, requestedAt }: SignInMail): RenderedMail {
  const minutes = SIGN_IN_LIFETIME_MS / 60_000;
  const time = requestedAt.toISOString().slice(11, 16);
  const words = {
    subject: 'Your link to sign in to Handover',
    heading: 'Sign in to Handover',
    lead: 'You asked for a link to the dashboard. Open it on the device you want to work on.',
    button: 'Sign in',
    lifetime: `The link works once, for ${minutes} minutes from ${time} UTC.`,
    notYou: 'You did not ask for it? Ignore this mail: nobody can sign in without it.',
  };
  return renderServiceMail(words, url);
}

/** Renders the mail that reports a sign-in in a browser that is new to the user. */
export function renderNewDevice({ url, client, at }: NewDeviceMail): RenderedMail {
  const words = {
    subject: 'New sign-in to Handover',
    heading: 'You signed in on a new device',
    lead: `It was ${client}, on ${MOMENT.format(at)} UTC. If this was you, there is nothing to do.`,
    button: 'See your sessions',
    lifetime:
      'It was not you? Open that page, end all other sessions and remove passkeys you do not know. Then replace your API keys.',
    notYou:
      'The person who signed in can read your mail, or has a device of yours. Change the password of your mailbox, too.',
  };
  return renderServiceMail(words, url);
}

const MAX_NAME_LENGTH = 100;
const DAY_MS = 24 * 60 * 60 * 1000;
const MOMENT = new Intl.DateTimeFormat('en-GB', {
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
    lifetime: `The invitation is valid for ${INVITATION_LIFETIME_MS / DAY_MS} days, until ${MOMENT.format(expiresAt)} UTC. You join only when you accept it.`,
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
