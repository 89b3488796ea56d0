import { type Html, html } from '@handover/html';
import { FORM_TOKEN_FIELD } from '../../auth/csrf.ts';
import { alertIcon } from './icons.ts';

/** A form that changes something. It includes the CSRF token. */
export function postForm({
  action,
  csrfToken,
  body,
  takesFile = false,
}: {
  readonly action: string;
  readonly csrfToken: string;
  readonly body: Html;
  readonly takesFile?: boolean;
}): Html {
  return html`<form ${takesFile && html`enctype="multipart/form-data" `}class="form" method="post" action="${action}"><input type="hidden" name="${FORM_TOKEN_FIELD}" value="${csrfToken}">${body}</form>`;
}

export interface Field {
  readonly name: string;
  readonly label: string;
  /** The typed value, or the stored one. */
  readonly value: string;
  readonly help?: string;
  /** The problem, in a sentence; it replaces the help text. */
  readonly problem?: string | null;
  /** Where a page has several fields of that name. Default: the name. */
  readonly id?: string;
}

export function textField({
  type = 'text',
  autocomplete = 'off',
  required = false,
  mono = false,
  ...field
}: Field & {
  readonly type?: 'text' | 'email' | 'password' | 'date';
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly mono?: boolean;
}): Html {
  const more = html`${required ? 'required' : ''}`;
  return fieldAround(
    field,
    html`<input class="${mono ? 'input mono' : 'input'}" type="${type}" id="${field.id ?? field.name}" name="${field.name}" value="${field.value}" autocomplete="${autocomplete}" ${more} ${described(field)}>`,
  );
}

export function textArea(field: Field & { readonly rows?: number }): Html {
  // HTML drops the first line break within a textarea.
  return fieldAround(
    field,
    html`<textarea class="textarea" id="${field.name}" name="${field.name}" rows="${field.rows ?? 4}" ${described(field)}>
${field.value}</textarea>`,
  );
}

export function selectField(
  field: Field & { readonly options: readonly { readonly value: string; readonly words: string }[] },
): Html {
  return fieldAround(
    field,
    html`<select class="select" id="${field.name}" name="${field.name}" ${described(field)}>${optionList(field.options, field.value)}</select>`,
  );
}

export function optionList(
  options: readonly { readonly value: string; readonly words: string }[],
  chosen: string,
): Html {
  return html`${options.map(
    ({ value, words }) => html`<option value="${value}" ${value === chosen && 'selected'}>${words}</option>`,
  )}`;
}

function fieldAround({ name, id = name, label, help, problem }: Field, control: Html): Html {
  const below = problem
    ? html`<p class="problem" id="${id}-note">${alertIcon}<span>${problem}</span></p>`
    : help && html`<p class="help" id="${id}-note">${help}</p>`;
  return html`<div class="field"><label for="${id}">${label}</label>${control}${below}</div>`;
}

function described({ name, id = name, help, problem }: Field): Html | null {
  const note = problem || help ? html`aria-describedby="${id}-note"` : null;
  // The first field with a problem has the focus when the page is shown again.
  return problem ? html`${note} aria-invalid="true" autofocus` : note;
}
