import type { Operation } from '../openapi/document.ts';

/** A shell command that calls an operation with its examples. The key comes from `$KEY`. */
export function curlCommand(siteUrl: string, method: string, path: string, operation: Operation): string {
  const lines = [`curl ${quote(siteUrl + exampleAddress(path, operation))}`];
  if (operation.security.length > 0) lines.push('-H "Authorization: Bearer $KEY"');
  for (const { name, in: place, example } of operation.parameters ?? []) {
    if (place === 'header' && example !== undefined) lines.push(`-H ${quote(`${name}: ${example}`)}`);
  }
  lines.push(...sendBody(path, operation));
  if (method === 'DELETE' || method === 'PATCH' || (method === 'POST' && !operation.requestBody))
    lines.splice(1, 0, `-X ${method}`);
  if (method === 'PUT' && operation.requestBody?.content['application/json']) lines.splice(1, 0, '-X PUT');
  return lines.join(' \\\n  ');
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
