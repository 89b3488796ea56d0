import { type Html, type HtmlValue, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton } from './button.ts';
import { postForm } from './form.ts';
import { pageHeader } from './page-header.ts';

interface NarrowPage {
  readonly title: string;
  /** Where several such pages are open at once. */
  readonly windowTitle?: string;
  readonly back: { readonly href: string; readonly words: string };
  readonly meta?: readonly HtmlValue[];
  readonly status?: number;
  readonly body: Html;
}

/** A page with one narrow card: a form, or a question before something is done. */
export function narrowPage({ title, windowTitle, back, meta = [], status = 200, body }: NarrowPage): Answer {
  const main = html`${pageHeader({ title, back, meta })}<section class="card narrow"><section>${body}</section></section>`;
  return { kind: 'page', status, title, ...(windowTitle !== undefined && { windowTitle }), main };
}

/** A narrow page with a form, which can be left without sending it. */
export function formPage({
  action,
  csrfToken,
  fields,
  submit,
  leave = 'Cancel',
  ...page
}: Omit<NarrowPage, 'body'> & {
  /** The address that the form is posted to. */
  readonly action: string;
  readonly csrfToken: string;
  readonly fields: Html;
  /** The button; null where nothing can be done. */
  readonly submit: Html | null;
  /** The words of the link back. */
  readonly leave?: string;
}): Answer {
  const body = html`${fields}
<div class="form-actions">${submit}${linkButton(page.back.href, { words: leave })}</div>`;
  return narrowPage({ ...page, body: postForm({ action, csrfToken, body }) });
}
