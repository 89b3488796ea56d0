import { type Html, type HtmlValue, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';

/** A page for someone who is signing in. */
export function signInCard(status: number, title: string, content: Html, note: HtmlValue): Answer {
  const main = html`<section class="card alone-card"><section><h1>${title}</h1>${content}</section></section><p class="alone-note">${note}</p>`;
  return { kind: 'alone', status, title, main };
}
