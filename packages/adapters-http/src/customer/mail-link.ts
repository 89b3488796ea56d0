import { type Html, html } from '@handover/html';
import { mailto } from '../pages/mailto.ts';

/** A mailto link with its subject filled in. */
export function mailLink(email: string, subject: string): Html {
  return html`<a href="${mailto(email, subject)}">${email}</a>`;
}
