import type { SignInMail } from '@handover/domain';
import { SIGN_IN_LIFETIME_MS } from '@handover/domain';
import type { RenderedMail } from '../receipt/render-receipt.ts';
import { renderServiceMail } from '../service-mail.ts';

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
    notYou: 'You did not ask for it? Then leave it: nobody can sign in without this mail.',
  };
  return renderServiceMail(words, url);
}
