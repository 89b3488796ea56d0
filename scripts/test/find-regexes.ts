import { parseSync } from 'oxc-parser';

/** A regular expression in a file, or an expression that may be one with an unknown pattern. */
export interface FoundRegex {
  readonly line: number;
  readonly source: string | null;
  readonly flags: string;
}

/**
 * Every regular expression of a program: literals, `RegExp(…)` and `pattern` of schemas. Patterns composed of
 * constants of the file are evaluated; for any other, `source` is null.
 */
export function findRegexes(fileName: string, code: string): readonly FoundRegex[] {
  const { program, errors } = parseSync(fileName, code);
  if (errors.length > 0) throw new SyntaxError(`${fileName}: ${errors[0]?.message}`);
  const nodes = [...walk(program)];
  const constants = new Map(nodes.flatMap((node) => readConstant(node)));
  return nodes.flatMap((node) => {
    const found = readRegex(node, constants);
    return found ? [{ ...found, line: code.slice(0, node.start).split('\n').length }] : [];
  });
}

/** A node of the syntax tree, with its known properties. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

type Constants = ReadonlyMap<string, Node>;

function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* walk(item);
  else if (isNode(value)) {
    yield value;
    yield* walk(Object.values(value));
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function readConstant(node: Node): readonly (readonly [string, Node])[] {
  if (node.type !== 'VariableDeclaration' || node.kind !== 'const' || !Array.isArray(node.declarations))
    return [];
  return node.declarations.flatMap(({ id, init }) =>
    isNode(init) && id.type === 'Identifier' ? [[id.name, init] as const] : [],
  );
}

function readRegex(node: Node, constants: Constants): Omit<FoundRegex, 'line'> | null {
  if (node.type === 'Literal' && isRegex(node.regex)) {
    return { source: node.regex.pattern, flags: node.regex.flags };
  }
  if (isCallOf(node, 'RegExp')) {
    const [source, flags] = node.arguments.map((argument) => evaluate(argument, constants));
    const isKnown = source !== null && source !== undefined && flags !== null;
    return { source: isKnown ? String(source) : null, flags: String(flags ?? '') };
  }
  if (node.type === 'Property' && isNode(node.key) && node.key.name === 'pattern') {
    const source = evaluate(node.value, constants);
    return typeof source === 'string' ? { source, flags: 'u' } : null;
  }
  return null;
}

function isRegex(value: unknown): value is { readonly pattern: string; readonly flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value;
}

function isCallOf(node: Node, name: string): node is Node & { readonly arguments: readonly unknown[] } {
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
  return isCall && isNode(node.callee) && node.callee.name === name;
}

/** Null: unknown before the program runs. */
function evaluate(node: unknown, constants: Constants): string | number | null {
  if (!isNode(node)) return null;
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : null;
    case 'Identifier':
      return evaluate(constants.get(String(node.name)), constants);
    case 'TemplateLiteral':
      return evaluateTemplate(node, constants);
    case 'BinaryExpression':
      return compute(node.operator, evaluate(node.left, constants), evaluate(node.right, constants));
    default:
      return null;
  }
}

function evaluateTemplate({ quasis, expressions }: Node, constants: Constants): string | null {
  if (!Array.isArray(quasis) || !Array.isArray(expressions)) return null;
  const values = expressions.map((expression) => evaluate(expression, constants));
  if (values.includes(null)) return null;
  return quasis.map(({ value }, at) => `${value.cooked}${values[at] ?? ''}`).join('');
}

function compute(operator: unknown, left: string | number | null, right: string | number | null) {
  if (operator === '+' && left !== null && right !== null) {
    return typeof left === 'number' && typeof right === 'number' ? left + right : `${left}${right}`;
  }
  if (typeof left !== 'number' || typeof right !== 'number') return null;
  return operator === '*'
    ? left * right
    : operator === '/'
      ? left / right
      : operator === '-'
        ? left - right
        : null;
}
