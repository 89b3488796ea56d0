import type { SignInMail } from '@handover/domain';
import { SIGN_IN_LIFETIME_MS } from '@handover/domain';
import { html } from 'ghtml';
import { INK, mailButton, mailLink, mailPage, SMALL } from '../mail-page.ts';
import type { RenderedMail } from '../receipt/render-receipt.ts';

const SUBJECT = 'Your link to sign in to Handover';

/** Lays out the mail that brings a one-time link. */
export function renderSignIn({ url, requestedAt }: SignInMail): RenderedMail {
  const words = signInWords(requestedAt);
  return { subject: SUBJECT, html: signInHtml(words, url), text: signInText(words, url) };
}

interface SignInWords {
  readonly heading: string;
  readonly lead: string;
  readonly lifetime: string;
  readonly notYou: string;
}

function signInWords(requestedAt: Date): SignInWords {
  const minutes = SIGN_IN_LIFETIME_MS / 60_000;
  const time = requestedAt.toISOString().slice(11, 16);
  return {
    heading: 'Sign in to Handover',
    lead: 'You asked for a link to the dashboard. Open it on the device you want to work on.',
    lifetime: `The link works once, for ${minutes} minutes from ${time} UTC.`,
    notYou: 'You did not ask for it? Then leave it: nobody can sign in without this mail.',
  };
}

function signInHtml({ heading, lead, lifetime, notYou }: SignInWords, url: string): string {
  const card = html`
    <p style="margin:0 0 12px;font-size:14px;line-height:20px;font-weight:600;color:#61656e">Handover</p>
    <h1 class="heading" style="margin:0 0 8px;font-size:24px;line-height:31px;font-weight:600;letter-spacing:-0.48px;color:${INK}">${heading}</h1>
    <p style="margin:0 0 24px;font-size:15px;line-height:23px;color:#3f434c">${lead}</p>
    !${mailButton(url, 'Sign in')}
    <p style="margin:20px 0 0;${SMALL}">${lifetime}</p>`;
  const below = html`<p style="margin:0;${SMALL}">${notYou}</p>
    <p style="margin:0;${SMALL}">Button does nothing? Paste this into your browser:</p>
    !${mailLink(url)}`;
  return mailPage({ title: SUBJECT, preview: lifetime, card, below });
}

function signInText({ heading, lead, lifetime, notYou }: SignInWords, url: string): string {
  return `${[heading, lead, url, lifetime, notYou, '-- \nHandover'].join('\n\n')}\n`;
}
