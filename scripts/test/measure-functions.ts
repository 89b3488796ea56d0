import { parseSync, Visitor } from 'oxc-parser';

/** A function of a file, and how many lines it has without those of the functions within it. */
export interface MeasuredFunction {
  readonly name: string;
  readonly lines: number;
}

/**
 * The functions of a program. A function within another one is measured on its own: a store or a list of routes that is
 * made of small functions reads like a file, however many they are.
 */
export function measureFunctions(fileName: string, code: string): readonly MeasuredFunction[] {
  const { program, errors } = parseSync(fileName, code);
  if (errors.length > 0) throw new SyntaxError(`${fileName}: ${errors[0]?.message}`);
  const measured: MeasuredFunction[] = [];
  const open: { readonly name: string; nested: number }[] = [];
  const names = new Map<number, string>();
  const lineOf = createLineCount(code);
  const enter = (node: { readonly start: number; readonly id?: { readonly name: string } | null }) =>
    void open.push({ name: node.id?.name ?? names.get(node.start) ?? 'anonymous', nested: 0 });
  const leave = ({ start, end }: { readonly start: number; readonly end: number }) => {
    const { name = '', nested = 0 } = open.pop() ?? {};
    const lines = lineOf(end) - lineOf(start) + 1;
    measured.push({ name, lines: lines - nested });
    const around = open.at(-1);
    // Its first line belongs to the function around it.
    if (around) around.nested += lines - 1;
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (init && id.type === 'Identifier') names.set(init.start, id.name);
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier') names.set(value.start, key.name);
    },
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
  }).visit(program);
  return measured;
}

function createLineCount(code: string): (offset: number) => number {
  const starts = [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
