import { html } from 'ghtml';
import type { JsonSchema, Parameter } from '../openapi/document.ts';
import { describeType } from './describe-type.ts';
import { inline } from './plain-text.ts';

interface Field {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

export function parameterList(parameters: readonly Parameter[]): string {
  return fieldList(parameters, 'required');
}

/** `mark`: what is worth a word, that a member must be there (in what is sent) or nothing (in what is answered). */
export function memberList(
  { properties = {}, required = [] }: JsonSchema,
  mark: 'required' | 'nothing',
): string {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    schema,
    required: required.includes(name),
  }));
  return fieldList(fields, mark);
}

function fieldList(fields: readonly Field[], mark: 'required' | 'nothing'): string {
  return html`<dl class="fields">
!${fields.map((field) => fieldRow(field, mark))}</dl>
`;
}

function fieldRow({ name, description, schema, required }: Field, mark: 'required' | 'nothing'): string {
  const inner = schema.items?.properties ? schema.items : schema;
  const isRequired = required && mark === 'required';
  return html`<dt><code class="field-name">${name}</code> <span class="type">!${describeType(schema)}</span>!${isRequired ? ' <span class="required">required</span>' : ''}</dt>
<dd><p>!${inline(description)}</p>!${defaultValue(schema)}!${inner.properties ? memberList(inner, mark) : ''}</dd>
`;
}

function defaultValue({ default: value }: JsonSchema): string {
  return value === undefined
    ? ''
    : html`<p class="meta">If left out: <code>${JSON.stringify(value)}</code></p>`;
}
