import { type Html, html, joinHtml } from '@handover/html';
import type { Content, JsonSchema, OpenApiDocument, Operation, Response } from '../openapi/document.ts';
import { COMMON } from '../openapi/responses.ts';
import { plusIcon } from '../pages/icons.ts';
import { joinWithAnd } from '../pages/words.ts';
import { describeType, inline, nameOf, paragraphs } from './describe-type.ts';
import { memberList, parameterList } from './field-list.ts';

export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export const additionBadge = html`<span class="badge">${plusIcon}Handover addition</span>`;

export function operationSection(
  { method, path, operation }: PlacedOperation,
  document: OpenApiDocument,
): Html {
  const id = operation.operationId;
  return html`<article class="operation" aria-labelledby="${id}">
<header class="operation-head">
<h3 id="${id}"><a href="#${id}">${operation.summary}</a></h3>
${operation['x-handover-addition'] ? additionBadge : ''}
<p class="address"><span class="method">${method}</span> <code>${breakable(path)}</code></p>
</header>
<div class="pair">
<div class="words">
${paragraphs(operation.description)}
<p class="meta">${ACCESS[operation['x-handover-access']]}${scopeOf(operation)}</p>
${parameters(operation)}
${body(operation)}
${answers(operation)}
</div>
<div class="examples">
${examples({ method, path, operation }, document)}
</div>
</div>
</article>
`;
}

const ACCESS: Readonly<Record<Operation['x-handover-access'], string>> = {
  'any role': 'Needs an API key of any role.',
  'owner or admin': 'Needs the API key of an owner or admin.',
  signature: 'Needs no API key: the platform proves itself.',
  open: 'Needs no API key.',
};

function scopeOf({ 'x-handover-scope': scope }: Operation): Html | null {
  return scope ? html` Its scope is <code>${scope}</code>.` : null;
}

/** Long addresses break before a slash. */
function breakable(path: string): Html {
  return joinHtml(path.split('/'), html`<wbr>/`);
}

function parameters({ parameters = [] }: Operation): readonly (Html | null)[] {
  return PLACES.map(({ place, title }) => {
    const found = parameters.filter((parameter) => parameter.in === place);
    return found.length === 0 ? null : html`<h4>${title}</h4>${parameterList(found)}`;
  });
}

const PLACES = [
  { place: 'path', title: 'In the path' },
  { place: 'query', title: 'In the query' },
  { place: 'header', title: 'Headers' },
] as const;

function body({ requestBody }: Operation): Html | null {
  if (!requestBody) return null;
  const types = Object.keys(requestBody.content).map((type) => html`<code>${type}</code>`);
  const [media] = Object.values(requestBody.content);
  return html`<h4>Body</h4>
<p class="meta">${joinHtml(types, ' or ')}</p>
<p>${inline(requestBody.description)}</p>
${media?.schema.properties ? memberList(media.schema, 'required') : ''}`;
}

/** Errors common to all endpoints are listed once, at the top of the page. */
function answers({ responses }: Operation): Html {
  const all = Object.entries(responses);
  const common = all.filter(([status, { description }]) => COMMON[Number(status)] === description);
  const own = all.filter((entry) => !common.includes(entry));
  return html`<h4>Answers</h4>
<dl class="answers">
${own.map(([status, response]) => answerRow(status, response))}</dl>
${common.length === 0 ? '' : html`<p class="meta also">Also ${joinWithAnd(common.map(([status]) => status))}, <a href="#errors">as everywhere</a>.</p>`}`;
}

function answerRow(status: string, { description, content, headers = {} }: Response): Html {
  const names = Object.keys(headers).map((name) => html`<code>${name}</code>`);
  const withHeaders = names.length > 0 ? html` <span class="meta">with ${joinHtml(names, ' ')}</span>` : '';
  return html`<dt class="${status < '400' ? 'good' : ''}">${status}</dt>
<dd><p>${inline(description)}${withHeaders}</p>${status < '400' ? contentLine(content) : ''}</dd>
`;
}

function contentLine(content: Content | undefined): Html | null {
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  if (!type || !media) return null;
  return html`<p class="meta"><code>${type}</code>${type === 'application/json' ? html`, ${describeType(media.schema)}` : ''}</p>`;
}

function examples(
  { method, path, operation }: PlacedOperation,
  { servers, components }: OpenApiDocument,
): Html {
  const about = operation.summary;
  const [sample] = operation['x-codeSamples'] ?? [];
  const command = sample?.source ?? curlCommand(servers[0]?.url ?? '', method, path, operation);
  const [status, response] = Object.entries(operation.responses)[0] ?? ['', undefined];
  const [type, media] = Object.entries(response?.content ?? {})[0] ?? [];
  return html`${codeBlock('Command', command, about)}${answer()}`;

  function answer(): Html | null {
    if (!media || (type === 'text/html' && media.example === undefined)) return null;
    const value = media.example ?? exampleValue(media.schema, components.schemas);
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return codeBlock(`Answer ${status}`, text, about);
  }
}

type Schemas = OpenApiDocument['components']['schemas'];

/** An example value of this schema, from the examples of its fields. */
function exampleValue(schema: JsonSchema, schemas: Schemas): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.$ref) return exampleValue(schemas[nameOf(schema.$ref)] ?? {}, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf?.[0]) return exampleValue(schema.anyOf[0], schemas);
  if (schema.enum) return schema.enum[0];
  if (schema.items) return [exampleValue(schema.items, schemas)];
  if (schema.properties) {
    const members = Object.entries(schema.properties);
    return Object.fromEntries(members.map(([name, member]) => [name, exampleValue(member, schemas)]));
  }
  return schema.type === 'object' ? {} : '…';
}

/** Scrolls within itself, by keyboard too; one click selects the whole text. */
export function codeBlock(title: string, code: string, about = ''): Html {
  const name = about === '' ? title : `${title}: ${about}`;
  return html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0" role="group" aria-label="${name}"><code>${code}</code></pre></figure>
`;
}

/** A shell command that calls an operation with its examples. The key comes from `$KEY`. */
export function curlCommand(siteUrl: string, method: string, path: string, operation: Operation): string {
  const lines = [`curl ${quote(siteUrl + exampleAddress(path, operation))}`];
  if (operation.security.length > 0) lines.push('-H "Authorization: Bearer $KEY"');
  for (const { name, in: place, example } of operation.parameters ?? []) {
    if (place === 'header' && example !== undefined) lines.push(`-H ${quote(`${name}: ${example}`)}`);
  }
  const sent = sendBody(path, operation);
  if (method !== methodOf(sent)) lines.splice(1, 0, `-X ${method}`);
  return [...lines, ...sent].join(' \\\n  ');
}

/** The method that curl uses where none is named. */
function methodOf(sent: readonly string[]): string {
  if (sent.length === 0) return 'GET';
  return sent.some((line) => line.startsWith('-T ')) ? 'PUT' : 'POST';
}

/** Path and query with the examples of their parameters. */
export function exampleAddress(path: string, { parameters = [] }: Operation): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return parameter?.example === undefined ? whole : encodeURIComponent(String(parameter.example));
  });
  const query = parameters.filter(({ in: place, example }) => place === 'query' && example !== undefined);
  if (query.length === 0) return filled;
  const pairs = query.map(({ name, example }): [string, string] => [name, String(example)]);
  return `${filled}?${new URLSearchParams(pairs)}`;
}

function sendBody(path: string, { requestBody, parameters = [] }: Operation): readonly string[] {
  const content = requestBody?.content ?? {};
  const json = content['application/json'];
  if (json) return ["-H 'Content-Type: application/json'", `-d ${quote(writeJson(json.example))}`];
  const form = content['application/x-www-form-urlencoded'];
  if (form) {
    const fields = Object.entries(form.example ?? {});
    return fields.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);
  }
  if (content['application/octet-stream']) {
    const file = parameters.find(({ name }) => path.endsWith(`{${name}}`));
    return [`-T ${quote(String(file?.example ?? 'file'))}`];
  }
  const [type] = Object.keys(content);
  if (type) return [`-H ${quote(`Content-Type: ${type}`)}`, "--data-binary '@felt-piano-2.1.zip'"];
  return [];
}

/** Writes JSON on one line while it is short. */
function writeJson(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length <= 40 ? line : JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}

/** Quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
