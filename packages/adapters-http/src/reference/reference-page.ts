import { type Html, html } from '@handover/html';
import type { OpenApiDocument } from '../openapi/document.ts';
import { COMMON } from '../openapi/responses.ts';
import { ADDITION_TAG } from '../openapi/tags.ts';
import { PAGE_ASSETS } from '../pages/assets.ts';
import { layout } from '../pages/layout.ts';
import { anchor, inline, objectAnchor, paragraphs } from './describe-type.ts';
import { memberList } from './field-list.ts';
import { additionBadge, codeBlock, operationSection, type PlacedOperation } from './operation-section.ts';

interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

/** Renders the OpenAPI document as a page for people. */
export function referencePage(document: OpenApiDocument): Html {
  const groups = groupOperations(document);
  return layout({
    title: 'API reference · Handover',
    stylesheet: PAGE_ASSETS.referenceStylesheet.path,
    header: html`<header class="bar"><a class="skip" href="#start">Skip to the reference</a><a class="bar-name" href="/docs"><img class="mark" src="${PAGE_ASSETS.mark.path}" alt="" width="26" height="26"><span>Handover</span></a><a class="bar-link" href="/openapi.json">OpenAPI document</a></header>
${navigation(groups)}`,
    main: html`${introduction(document)}
${groups.map((group) => groupSection(group, document))}
${objectsSection(document)}`,
  });
}

function groupOperations({ tags, paths }: OpenApiDocument): readonly Group[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return tags
    .filter(({ name }) => name !== ADDITION_TAG)
    .map((tag) => ({
      ...tag,
      operations: operations.filter(({ operation }) => operation.tags[0] === tag.name),
    }))
    .filter((group) => group.operations.length > 0);
}

function navigation(groups: readonly Group[]): Html {
  return html`<nav class="contents" aria-label="Reference">
<ul>
<li><a href="#start">Start here</a></li>
${groups.map(navigationGroup)}<li><a href="#objects">Objects</a></li>
</ul>
</nav>`;
}

function navigationGroup({ name, operations }: Group): Html {
  return html`<li><a href="#${anchor(name)}">${name}</a>
<ul>
${operations.map(
  ({ method, operation }) =>
    html`<li><a href="#${operation.operationId}"><span class="method">${shorten(method)}</span><span>${operation.summary}</span></a></li>`,
)}</ul></li>
`;
}

/** Longer ones would break in the narrow column of the contents. */
const SHORT_METHODS: Readonly<Record<string, string>> = { DELETE: 'DEL', OPTIONS: 'OPT' };

function shorten(method: string): string {
  return SHORT_METHODS[method] ?? method;
}

function introduction({ info, servers }: OpenApiDocument): Html {
  const site = servers[0]?.url ?? '';
  const tryOut = `export KEY='your API key'\ncurl '${site}/api/products' \\\n  -H "Authorization: Bearer $KEY"`;
  return html`<section class="group" id="start">
<div class="pair">
<div>
<h1>API reference</h1>
<p class="meta">Version ${info.version} · OpenAPI 3.1</p>
${paragraphs(introductoryText(info.description))}
<p>${additionBadge} marks what is not in the interface specification: Handover added it.</p>
<h2 class="small" id="errors">Errors that any endpoint may answer</h2>
${commonErrors()}
</div>
<div>${codeBlock('Your first call', tryOut)}
<p class="meta below">Press on a command to select all of it. The others on this page use the same <code>$KEY</code>.</p></div>
</div>
</section>`;
}

function commonErrors(): Html {
  const rows = Object.entries(COMMON).map(
    ([status, description]) => html`<dt>${status}</dt><dd>${inline(description)}</dd>`,
  );
  return html`<dl class="answers">${rows}</dl>`;
}

/** Drops the last paragraph, which tells programs what the badge tells people. */
function introductoryText(description: string): string {
  return description.split('\n\n').slice(0, -1).join('\n\n');
}

function groupSection({ name, description, operations }: Group, document: OpenApiDocument): Html {
  return html`<section class="group" aria-labelledby="${anchor(name)}">
<h2 id="${anchor(name)}">${name}</h2>
<p class="lead">${inline(description)}</p>
${operations.map((operation) => operationSection(operation, document))}</section>
`;
}

function objectsSection({ components }: OpenApiDocument): Html {
  return html`<section class="group" aria-labelledby="objects">
<h2 id="objects">Objects</h2>
<p class="lead">What the answers are made of.</p>
${byName(components.schemas).map(
  ([name, schema]) => html`<article class="object" aria-labelledby="${objectAnchor(name)}">
<h3 id="${objectAnchor(name)}">${name}</h3>
<p>${inline(schema.description ?? '')}</p>
${memberList(schema, 'nothing')}</article>
`,
)}</section>
`;
}

function byName<T>(named: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  return Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1));
}
