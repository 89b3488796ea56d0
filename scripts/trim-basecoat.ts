import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postcss from 'postcss';
import parseSelectors, { type Node } from 'postcss-selector-parser';

const PACKAGE = fileURLToPath(new URL('../packages/adapters-http/', import.meta.url));
/** The part of Basecoat that the dashboard serves. */
export const TRIMMED = join(PACKAGE, 'assets/basecoat.css');

const basecoat = dirname(createRequire(join(PACKAGE, 'package.json')).resolve('basecoat-css'));
export const WHOLE = join(basecoat, 'basecoat.cdn.min.css');

/** Set by scripts. */
const SCRIPTED = ['dark'];

/** Basecoat's stylesheet without the rules for classes and data attributes that no page of the dashboard uses. */
export function trimBasecoat(): string {
  const root = postcss.parse(readFileSync(WHOLE, 'utf8'));
  const used = new Set([...namesOfPages(), ...SCRIPTED]);
  root.walkRules((rule) => {
    if (rule.parent?.type === 'atrule' && 'name' in rule.parent && rule.parent.name === 'keyframes') return;
    const left = parseSelectors()
      .astSync(rule.selector)
      .nodes.filter((selector) => canMatch(selector, used));
    if (left.length === 0) rule.remove();
    else rule.selector = left.join(',');
  });
  root.walkAtRules((atRule) => {
    if (atRule.nodes?.length === 0) atRule.remove();
  });
  return `${root.toString()}\n`;
}

/** Whether the selector, or one in the list of an `:is()`, can match an element with only these names. */
function canMatch(node: Node, names: ReadonlySet<string>): boolean {
  if (node.type === 'class') return names.has(node.value);
  if (node.type === 'attribute') return !node.attribute.startsWith('data-') || names.has(node.attribute);
  if (node.type === 'pseudo' && node.value === ':not') return true;
  if (node.type === 'pseudo')
    return node.nodes.length === 0 || node.nodes.some((each) => canMatch(each, names));
  return !('nodes' in node) || node.nodes.every((each) => canMatch(each, names));
}

/** The classes in the templates of the dashboard, and every `data-` attribute there or in a script. */
export function* namesOfPages(): Iterable<string> {
  const pages = readdirSync(join(PACKAGE, 'src/dashboard'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(PACKAGE, 'src/dashboard', file));
  const own = readdirSync(join(PACKAGE, 'assets')).filter((file) => file.endsWith('.js'));
  const scripts = [...own.map((file) => join(PACKAGE, 'assets', file)), join(basecoat, 'js/toast.js')];
  for (const file of [...pages, ...scripts]) {
    const text = readFileSync(file, 'utf8');
    for (const [, list = ''] of text.matchAll(/class="([^"]*)"/g)) yield* list.match(/[a-z][\w-]*/g) ?? [];
    yield* text.match(/data-[a-z-]+/g) ?? [];
    for (const [name] of text.matchAll(/(?<=dataset\.)[a-zA-Z]+/g)) {
      yield `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    }
  }
}

if (import.meta.main) writeFileSync(TRIMMED, trimBasecoat());
