import { type Html, html } from '@handover/html';
import type { JsonSchema, Parameter } from '../openapi/document.ts';
import { describeType, inline } from './describe-type.ts';

interface Field {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

export function parameterList(parameters: readonly Parameter[]): Html {
  return fieldList(parameters, 'required');
}

/** `mark`: which members get a mark: the required ones (in requests) or none (in responses). */
export function memberList(
  { properties = {}, required = [] }: JsonSchema,
  mark: 'required' | 'nothing',
): Html {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    schema,
    required: required.includes(name),
  }));
  return fieldList(fields, mark);
}

function fieldList(fields: readonly Field[], mark: 'required' | 'nothing'): Html {
  return html`<dl class="fields">
${fields.map((field) => fieldRow(field, mark))}</dl>
`;
}

function fieldRow({ name, description, schema, required }: Field, mark: 'required' | 'nothing'): Html {
  const inner = schema.items?.properties ? schema.items : schema;
  const isRequired = required && mark === 'required';
  return html`<dt><code class="field-name">${name}</code> <span class="type">${describeType(schema)}</span>${isRequired ? html` <span class="required">required</span>` : ''}</dt>
<dd><p>${inline(description)}</p>${defaultValue(schema)}${inner.properties ? memberList(inner, mark) : ''}</dd>
`;
}

function defaultValue({ default: value }: JsonSchema): Html | null {
  return value === undefined
    ? null
    : html`<p class="meta">If left out: <code>${JSON.stringify(value)}</code></p>`;
}
