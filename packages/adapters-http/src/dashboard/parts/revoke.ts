import { type Html, html } from '@handover/html';
import { dialogButton, submitButton } from './button.ts';
import { confirmDialog } from './dialog.ts';
import { postForm } from './form.ts';

const DIALOG = 'revoke';

/** Opens the dialog that confirms revoking a purchase. */
export const revokeButton = dialogButton(DIALOG, { words: 'Revoke', small: true, danger: true });

/** `base`: the address above the actions. */
export function revokeDialog({
  base,
  customerName,
  csrfToken,
}: {
  readonly base: string;
  readonly customerName: string;
  readonly csrfToken: string;
}): Html {
  return confirmDialog({
    id: DIALOG,
    title: 'Revoke this purchase?',
    loss: `All its links stop working at once, and ${customerName} can get no new one until you restore it. Downloads in progress finish.`,
    action: `${base}/revoke`,
    words: 'Revoke the purchase',
    csrfToken,
  });
}

export function restoreForm(base: string, csrfToken: string): Html {
  const body = submitButton({ words: 'Restore', small: true });
  return html`${postForm({ action: `${base}/restore`, csrfToken, body })}`;
}
