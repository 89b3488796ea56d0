import type { NewDeviceMail } from '@handover/domain';
import type { RenderedMail } from '../receipt/render-receipt.ts';
import { renderServiceMail } from '../service-mail.ts';

/** Renders the mail that tells of a sign-in in a browser that is new to the user. */
export function renderNewDevice({ url, client, at }: NewDeviceMail): RenderedMail {
  const day = at.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const time = `${day}, ${at.toISOString().slice(11, 16)} UTC`;
  const words = {
    subject: 'New sign-in to Handover',
    heading: 'You signed in on a new device',
    lead: `It was ${client}, on ${time}. If this was you, there is nothing to do.`,
    button: 'See your sessions',
    lifetime:
      'It was not you? Open that page, end all other sessions and remove passkeys you do not know. Then replace your API keys.',
    notYou:
      'The person who signed in can read your mail, or has a device of yours. Change the password of your mailbox, too.',
  };
  return renderServiceMail(words, url);
}
