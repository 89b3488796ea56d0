import type {
  CorrectAddressResult,
  PurchaseRecord,
  ReceiptStatus,
  ResendReceiptResult,
  SeenReceipt,
} from '@handover/domain';
import { html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { hiddenField, textField } from '../parts/form.ts';
import { atIcon, sendIcon } from '../parts/icons.ts';
import { formPage, narrowPage } from '../parts/narrow-page.ts';
import { titleOf, windowTitleOf } from './purchase-page.ts';

interface Asked {
  readonly record: PurchaseRecord;
  readonly csrfToken: string;
}

/** Shows the recipient and what happens to the links before anything is mailed. `replaces`: the links mailed before are to stop. */
export function resendPage({ record, csrfToken, replaces }: Asked & { readonly replaces: boolean }): Answer {
  const isPending = record.receiptStatus === 'pending' && !replaces;
  const fields = html`${hiddenField(SEEN, seenReceipt(record))}<p>${isPending ? 'It is still on its way, and is tried again at once' : 'A receipt with a new download link goes'} to <strong><bdi>${record.customerEmail}</bdi></strong>. The mail also has the other products of the same order, except revoked ones.</p>
<p class="muted">If the buyer has another address, <a class="link" href="/dashboard/purchases/${record.id}/address">correct the address</a> instead.</p>
${replaces ? stopsLinks : choice}`;
  const words = replaces ? 'Replace and send' : isPending ? 'Send it now' : 'Send the receipt';
  return formPage({
    ...headOf(record, replaces ? 'Replace the links' : 'Resend receipt'),
    action: `/dashboard/purchases/${record.id}/resend`,
    csrfToken,
    fields,
    submit: submitButton({ words, icon: sendIcon, primary: true }),
  });
}

const REPLACES = 'replace';

/** Of the page that the button “Replace” leads to. */
const stopsLinks = html`${hiddenField(REPLACES, 'yes')}<p class="muted">All links mailed before stop working at once.</p>`;

const choice = html`<label class="check"><input type="checkbox" name="${REPLACES}" value="yes"><span>Stop the links mailed before<span class="muted small">If somebody else may have one. Otherwise they work until they expire.</span></span></label>`;

/** The receipt that the page showed: the form acts on that one, so a double click mails once. */
const SEEN = 'receipt';

/** Whether the form, or the link to it, asks for the links mailed before to stop. */
export function readReplaces(fields: URLSearchParams): boolean {
  return fields.get(REPLACES) === 'yes';
}

function seenReceipt({ receipt }: PurchaseRecord): string {
  return receipt ? `${receipt.status}:${receipt.id}` : '';
}

/** Null: there was none. Undefined: the field is missing, so the form is not ours. */
export function readSeenReceipt(form: URLSearchParams): SeenReceipt | null | undefined {
  const [status, id = ''] = form.get(SEEN)?.split(':') ?? [];
  if (status === '') return null;
  return status === 'pending' || status === 'sent' || status === 'refused' ? { status, id } : undefined;
}

/** The answer to a second click: the first one has sent the mail. `replaces`: this click asked for the links to stop, too. */
export function doneBefore(
  { email, status }: Extract<ResendReceiptResult, { readonly kind: 'done-before' }>,
  replaces: boolean,
): readonly [title: string, sentence: string] {
  const [title, sentence] = describeDoneBefore(email, status);
  return replaces
    ? [title, `${sentence} It stopped no links: look below whether they stopped before.`]
    : [title, sentence];
}

function describeDoneBefore(
  email: string,
  status: ReceiptStatus,
): readonly [title: string, sentence: string] {
  switch (status) {
    case 'pending':
      return [
        'The receipt is on its way already',
        `One mail goes to ${email}, however often it is asked for.`,
      ];
    case 'sent':
      return ['The receipt has been sent already', `To ${email}. This press mailed nothing more.`];
    case 'refused':
      return [
        'The receipt was refused meanwhile',
        'This press mailed nothing. See below what the mail server said.',
      ];
  }
}

export function addressPage({
  record,
  csrfToken,
  email,
  refusal = null,
}: Asked & {
  readonly email: string;
  readonly refusal?: Extract<CorrectAddressResult, { readonly kind: 'invalid' | 'corrected-before' }> | null;
}): Answer {
  const fields = html`${hiddenField(SEEN_ADDRESS, record.customerEmail)}<p>The purchase moves to the customer of the new address, and a receipt with a new link goes there. The links mailed to <strong><bdi>${record.customerEmail}</bdi></strong> stop working at once.</p>
<p class="muted">The other products of the same order move with it.</p>
${textField({ type: 'email', name: 'email', label: 'Right address', value: email, required: true, problem: refusal && explainRefusal(refusal) })}`;
  return formPage({
    ...headOf(record, 'Correct address'),
    status: refusal === null ? 200 : refusal.kind === 'invalid' ? 400 : 409,
    action: `/dashboard/purchases/${record.id}/address`,
    csrfToken,
    fields,
    submit: submitButton({ words: 'Correct and send', icon: atIcon, primary: true }),
  });
}

/** The address that the page showed: a page that stayed open does not overwrite what another person corrected. */
const SEEN_ADDRESS = 'seen';

export function readSeenAddress(form: URLSearchParams): string {
  return form.get(SEEN_ADDRESS) ?? '';
}

function explainRefusal(
  refusal: Extract<CorrectAddressResult, { readonly kind: 'invalid' | 'corrected-before' }>,
): string {
  return refusal.kind === 'invalid'
    ? `It ${refusal.problem}.`
    : `Somebody corrected the address to ${refusal.email} while this page was open, and nothing was changed now. Press again only if yours is right.`;
}

/** The purchase was revoked while the page was open: nothing is mailed. */
export function revokedMeanwhilePage({ record }: Pick<Asked, 'record'>): Answer {
  const words = html`<p>This purchase is revoked, so nothing was mailed. Restore it first.</p><div class="form-actions">${linkButton(`/dashboard/purchases/${record.id}`, { words: 'Back to the purchase' })}</div>`;
  const body = html`<div class="form">${words}</div>`;
  return narrowPage({ ...headOf(record, 'Nothing was mailed'), status: 409, body });
}

function headOf(record: PurchaseRecord, title: string) {
  const back = { href: `/dashboard/purchases/${record.id}`, words: titleOf(record) };
  return { title, windowTitle: `${title}: ${windowTitleOf(record)}`, back };
}
