import { createHash, hash } from 'node:crypto';

const NEWLINE = 0x0a;

/** The measures of rows in COPY's text format, once all of them have passed. */
export interface RowsMeasure {
  readonly rows: number;
  readonly bytes: number;
  /** The hash of the bytes, in their order. */
  readonly sha256: string;
  /** A hash that does not depend on the order of the rows: a restored table may have another order. */
  readonly rowsHash: string;
}

/** Passes the bytes on and measures them. Each row is one line: COPY escapes the newlines of values. */
export function meterRows(): {
  readonly through: (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;
  readonly measure: () => RowsMeasure;
} {
  const whole = createHash('sha256');
  const sums = new Uint32Array(8);
  let rows = 0;
  let bytes = 0;
  const addRow = (line: Uint8Array) => {
    rows += 1;
    const digest = hash('sha256', line, 'buffer');
    for (let lane = 0; lane < sums.length; lane += 1)
      sums[lane] = (sums[lane] ?? 0) + digest.readUInt32LE(lane * 4);
  };
  return {
    through: async function* (source) {
      const lines = createLineSplitter();
      for await (const chunk of source) {
        whole.update(chunk);
        bytes += chunk.length;
        for (const line of lines(chunk)) addRow(line);
        yield chunk;
      }
    },
    measure: () => ({
      rows,
      bytes,
      sha256: whole.copy().digest('hex'),
      rowsHash: Buffer.from(sums.buffer).toString('hex'),
    }),
  };
}

/** Changes the values of one column, row by row. */
export async function* mapColumn(
  source: AsyncIterable<Uint8Array>,
  columns: readonly string[],
  column: string,
  change: (value: string, row: Readonly<Record<string, string | null>>) => string,
): AsyncGenerator<Uint8Array> {
  for await (const line of splitRows(source)) {
    const row = Object.fromEntries(parseRow(line).map((value, at) => [columns[at] ?? '', value]));
    const value = row[column];
    const changed = typeof value === 'string' ? { ...row, [column]: change(value, row) } : row;
    yield Buffer.from(formatRow(columns.map((name) => changed[name] ?? null)));
  }
}

/** The rows, one by one, without their newline. */
export async function* splitRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const lines = createLineSplitter();
  for await (const chunk of source) for (const line of lines(chunk)) yield line.toString('utf8');
}

function createLineSplitter(): (chunk: Uint8Array) => Generator<Buffer> {
  let parts: Buffer[] = [];
  return function* (chunk) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, start)) {
      const tail = buffer.subarray(start, end);
      yield parts.length === 0 ? tail : Buffer.concat([...parts, tail]);
      parts = [];
      start = end + 1;
    }
    // A copy: the source may use its buffer again.
    if (start < buffer.length) parts.push(Buffer.from(buffer.subarray(start)));
  };
}

/** https://www.postgresql.org/docs/current/sql-copy.html, "Text Format". */
export function parseRow(line: string): readonly (string | null)[] {
  return line
    .split('\t')
    .map((field) =>
      field === '\\N' ? null : field.replace(/\\(.)/g, (_, letter: string) => ESCAPED[letter] ?? letter),
    );
}

export function formatRow(values: readonly (string | null)[]): string {
  const fields = values.map((value) =>
    value === null ? '\\N' : value.replace(/[\\\b\f\n\r\t\v]/g, (letter) => `\\${ESCAPES[letter] ?? letter}`),
  );
  return `${fields.join('\t')}\n`;
}

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const ESCAPES = Object.fromEntries(Object.entries(ESCAPED).map(([letter, value]) => [value, letter]));
