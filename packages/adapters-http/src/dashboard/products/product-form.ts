import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { submitButton } from '../parts/button.ts';
import { fieldsOf, postForm, statusOf, textArea, textField } from '../parts/form.ts';
import { formPage } from '../parts/narrow-page.ts';

/** The typed values. */
export interface ProductForm {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
}

/** A sentence per field. */
export type ProductProblems = Readonly<Record<string, string>>;

interface FormState {
  readonly csrfToken: string;
  readonly form: ProductForm;
  readonly problems: ProductProblems;
}

/** `firstVersion`: its label; empty: the product begins without one. */
export function newProductPage({
  csrfToken,
  form,
  problems,
  firstVersion,
}: FormState & { readonly firstVersion: string }): Answer {
  const slugHelp =
    'A short name without spaces. Use it as the SKU in your shop, and its orders deliver this product. If empty, it is made from the name.';
  return formPage({
    title: 'New product',
    back: { href: '/dashboard/products', words: 'Products' },
    meta: ['It begins as a draft; nothing is delivered before you publish it'],
    status: statusOf(problems),
    action: '/dashboard/products/new',
    csrfToken,
    fields: html`${detailFields(form, problems, slugHelp)}${firstVersionField(firstVersion)}`,
    submit: submitButton({ words: 'Add product', primary: true }),
  });
}

/** The form for an existing product. */
export function productDetailsForm(
  productId: string,
  { csrfToken, form, problems, isPrimary }: FormState & { readonly isPrimary: boolean },
): Html {
  const slugHelp =
    'Orders with this SKU deliver this product. If you change it and your shop still sends the former one, add that under SKUs.';
  const body = html`${detailFields(form, problems, slugHelp)}
<div class="form-actions">${submitButton({ words: 'Save details', primary: isPrimary })}</div>`;
  return postForm({ action: `/dashboard/products/${productId}/details`, csrfToken, body });
}

/** The fields that both forms have. */
function detailFields(form: ProductForm, problems: ProductProblems, slugHelp: string): Html {
  const field = fieldsOf(form, problems);
  return html`${textField({ ...field('name', 'Name'), help: 'What buyers read in their mail and on the download page.' })}
${textField({ ...field('slug', 'Slug'), help: slugHelp, mono: true })}
${textArea({ ...field('description', 'Description'), help: 'For you and your team. Optional.' })}`;
}

function firstVersionField(value: string): Html {
  const help = 'You upload the files next. Buyers see the label. Optional.';
  return textField({ name: 'version', label: 'First version', value, help, mono: true });
}
