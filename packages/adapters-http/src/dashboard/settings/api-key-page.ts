import type { Role } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { dialogButton, linkButton } from '../parts/button.ts';
import { copyField } from '../parts/copy-field.ts';
import { confirmDialog } from '../parts/dialog.ts';
import { eyeIcon, refreshIcon } from '../parts/icons.ts';
import { pageHeader } from '../parts/page-header.ts';
import { ROLE_WORDS } from './team-words.ts';

/** `key` is null while it is hidden: the browser gets it only on request. */
export function apiKeyPage({
  key,
  role,
  csrfToken,
}: {
  readonly key: string | null;
  /** Null: a user without an organisation. */
  readonly role: Role | null;
  readonly csrfToken: string;
}): Answer {
  const main = html`${pageHeader({ title: 'API key', meta: ['Yours alone; programs that use it act as you'] })}
<section class="card narrow"><section class="form">
${key === null ? hidden() : copyField({ label: 'Your key', text: key })}
<p class="muted small">Send it in the header <span class="chip">Authorization: Bearer …</span> of API requests. ${role === null ? 'It opens nothing until you belong to an organisation' : `It may do what you may do as ${ROLE_WORDS[role]}`}: <a href="/docs">see the reference</a>.</p>
</section><section class="form">
<h2>Replace the key</h2>
<p class="muted small">Do this when it may have been seen by others. Every program that uses the present key needs the new one.</p>
<div>${dialogButton('refresh', { words: 'Replace the key', icon: refreshIcon })}</div>
</section></section>
${confirmDialog({
  id: 'refresh',
  title: 'Replace your API key?',
  loss: 'The present key stops working at once, in every program that uses it. There is no way back.',
  action: '/dashboard/settings/api-key/refresh',
  words: 'Replace the key',
  csrfToken,
})}`;
  return { kind: 'page', title: 'API key', main };
}

function hidden(): Html {
  return html`<div class="field"><span class="label">Your key</span><p class="mono muted">hnd_••••••••••••••••••••••••••••</p><div>${linkButton('/dashboard/settings/api-key?show', { words: 'Show the key', icon: eyeIcon })}</div></div>`;
}
