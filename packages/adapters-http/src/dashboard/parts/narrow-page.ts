import { type Html, type HtmlValue, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { pageHeader } from './page-header.ts';

/** A page with one narrow card: a form, or a question before something is done. */
export function narrowPage({
  title,
  windowTitle,
  back,
  meta = [],
  status = 200,
  body,
}: {
  readonly title: string;
  /** Where several such pages are open at once. */
  readonly windowTitle?: string;
  readonly back: { readonly href: string; readonly words: string };
  readonly meta?: readonly HtmlValue[];
  readonly status?: number;
  readonly body: Html;
}): Answer {
  const main = html`${pageHeader({ title, back, meta })}<section class="card narrow"><section>${body}</section></section>`;
  return { kind: 'page', status, title, ...(windowTitle !== undefined && { windowTitle }), main };
}
