import { type Html, html } from '@handover/html';
import { DASHBOARD_ASSETS } from '../assets.ts';
import { submitButton } from './button.ts';
import { alertIcon, keyIcon } from './icons.ts';

const SCRIPT = html`<script src="${DASHBOARD_ASSETS.passkeyScript.path}" data-library="${DASHBOARD_ASSETS.passkeyLibrary.path}" data-dashboard="/dashboard" defer></script>`;

const PROBLEM = html`<p class="alone-problem" role="alert" data-problem hidden>${alertIcon}<span></span></p>`;

/** The button that signs in with a passkey. The script shows it where the browser has them. */
export function usePasskey(words: string, to: string | null): Html {
  return html`<form class="form" method="post" data-passkey="use" hidden${to !== null && html` data-to="${to}"`}>${PROBLEM}${submitButton({ words, icon: keyIcon })}</form>${SCRIPT}`;
}

/** The form that adds a passkey to the user who is signed in. */
export function addPasskeyForm(): Html {
  return html`<form class="form" method="post" data-passkey="add" hidden>${PROBLEM}<div class="field"><label for="passkey-name">Name</label><input class="input" id="passkey-name" name="name" required maxlength="100" autocomplete="off" aria-describedby="passkey-note"><p class="help" id="passkey-note">The device that keeps it, such as “MacBook”.</p></div><div>${submitButton({ words: 'Add a passkey', icon: keyIcon })}</div></form>
<noscript><p class="muted small">Passkeys need JavaScript. A mailed link signs you in without it.</p></noscript>${SCRIPT}`;
}
