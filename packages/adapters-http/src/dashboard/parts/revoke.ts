import { type Html, html } from '@handover/html';
import { dialogButton, submitButton } from './button.ts';
import { confirmDialog } from './dialog.ts';
import { postForm } from './form.ts';

const DIALOG = 'revoke';

/** Opens the dialog that confirms revoking a purchase. */
export function revokeButton(customerName: string): Html {
  return dialogButton(DIALOG, { words: html`Revoke purchase${of(customerName)}`, small: true, danger: true });
}

interface Asked {
  /** The address above the actions. */
  readonly base: string;
  readonly customerName: string;
  readonly csrfToken: string;
}

/**
 * `isRefunded`: its shop has given money back already, so that nobody is told to do it again. `isOneOfSeveral`: its order bought more
 * that works.
 */
export function revokeDialog({
  base,
  customerName,
  csrfToken,
  isRefunded = false,
  isOneOfSeveral = false,
}: Asked & { readonly isRefunded?: boolean; readonly isOneOfSeveral?: boolean }): Html {
  const money = isRefunded
    ? 'Nobody is mailed.'
    : 'Nobody is mailed, and no money moves: refund it where it was paid.';
  const others = isOneOfSeveral ? ' What else the order bought keeps working.' : '';
  return confirmDialog({
    id: DIALOG,
    title: 'Revoke this purchase?',
    loss: `All its links stop working at once, and ${customerName} can get no new one until you restore it. Downloads in progress finish.${others} ${money}`,
    action: `${base}/revoke`,
    words: 'Revoke the purchase',
    csrfToken,
  });
}

export function restoreForm({ base, customerName, csrfToken }: Asked): Html {
  const body = submitButton({ words: html`Restore purchase${of(customerName)}`, small: true });
  return postForm({ action: `${base}/restore`, csrfToken, body });
}

/** For screen readers, which read a button without the text around it. */
function of(customerName: string): Html {
  return html`<span class="visually-hidden"> of ${customerName}</span>`;
}
