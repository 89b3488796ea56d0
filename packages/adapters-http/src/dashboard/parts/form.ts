import type { InvalidInput } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { FORM_TOKEN_FIELD } from '../../auth/csrf.ts';
import { alertIcon } from './icons.ts';

/** A form that changes something. It begins with the CSRF token, so that a file is read after it. */
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
  return html`<form ${takesFile && html`enctype="multipart/form-data" `}class="form" method="post" action="${action}">${hiddenField(FORM_TOKEN_FIELD, csrfToken)}${body}</form>`;
}

/** A field that nobody sees. */
export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

export function hiddenFields(fields: Iterable<readonly [name: string, value: string]>): readonly Html[] {
  return [...fields].map(([name, value]) => hiddenField(name, value));
}

/** The texts of these fields of a form or an address. A missing one is empty. */
export function readTexts<Name extends string>(
  fields: URLSearchParams,
  ...names: readonly Name[]
): Readonly<Record<Name, string>> {
  const texts = names.map((name) => [name, fields.get(name) ?? ''] as const);
  return Object.fromEntries(texts) as Record<Name, string>;
}

/** The status of a page whose form may have problems. */
export function statusOf(problems: Readonly<Partial<Record<string, string>>>): 200 | 400 {
  return Object.keys(problems).length === 0 ? 200 : 400;
}

/** A sentence for each field with a problem. */
export function explainProblems(problems: readonly InvalidInput[]): Readonly<Record<string, string>> {
  return Object.fromEntries(problems.map(({ field, problem }) => [field, `It ${problem}.`]));
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

/** Makes the fields of a form, each with what was typed into it and its problem. */
export function fieldsOf<Typed extends object>(
  typed: Typed,
  problems: Readonly<Partial<Record<string, string>>>,
): (name: TextsOf<Typed>, label: string) => Field {
  return (name, label) => ({ name, label, value: String(typed[name]), problem: problems[name] ?? null });
}

type TextsOf<Typed> = {
  [Name in keyof Typed & string]: Typed[Name] extends string ? Name : never;
}[keyof Typed & string];

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

export function textArea(field: Field): Html {
  // HTML drops the first line break within a textarea.
  return fieldAround(
    field,
    html`<textarea class="textarea" id="${field.name}" name="${field.name}" rows="4" ${described(field)}>
${field.value}</textarea>`,
  );
}

export function selectField(field: Field & { readonly options: readonly Option[] }): Html {
  return fieldAround(
    field,
    html`<select class="select" id="${field.name}" name="${field.name}" ${described(field)}>${optionList(field.options, field.value)}</select>`,
  );
}

/** A select list of the filters of a list. Its label is hidden: the first option says what is chosen by default. */
export function filterSelect(
  name: string,
  label: string,
  options: readonly Option[],
  chosen: string | null,
): Html {
  return html`<label class="visually-hidden" for="${name}">${label}</label><select class="select" id="${name}" name="${name}">${optionList(options, chosen ?? '')}</select>`;
}

export interface Option {
  readonly value: string;
  readonly words: string;
}

function optionList(options: readonly Option[], chosen: string): Html {
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
