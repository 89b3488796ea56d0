export type ReadCompletion =
  | { readonly kind: 'completion'; readonly token: string; readonly sessionId: string | null }
  | { readonly kind: 'unreadable'; readonly problem: string }
  | { readonly kind: 'wrong-type' };

/** Reads the body of download-complete, JSON or a form. */
export function readCompletion(contentType: string | undefined, body: Uint8Array): ReadCompletion {
  const fields = readFields(contentType, new TextDecoder().decode(body));
  if (fields === 'wrong-type') return { kind: fields };
  if (fields === 'no-json') return { kind: 'unreadable', problem: 'The body is not a JSON object.' };
  const { token, sessionId } = fields;
  if (typeof token !== 'string' || token === '') {
    const problem = '“token” is missing. Send the download token, {"token": "…"} or token=….';
    return { kind: 'unreadable', problem };
  }
  if (sessionId === undefined || sessionId === null || sessionId === '') {
    return { kind: 'completion', token, sessionId: null };
  }
  if (typeof sessionId !== 'string') {
    return {
      kind: 'unreadable',
      problem: '“sessionId” must be the id of a download session, or be left out.',
    };
  }
  return { kind: 'completion', token, sessionId };
}

interface Fields {
  readonly token?: unknown;
  readonly sessionId?: unknown;
}

function readFields(contentType: string | undefined, body: string): Fields | 'no-json' | 'wrong-type' {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') {
    const form = new URLSearchParams(body);
    return { token: form.get('token') ?? undefined, sessionId: form.get('sessionId') ?? undefined };
  }
  // Without a body there is no content type either; the error should name the missing token.
  if (type === undefined && body === '') return {};
  return type === 'application/json' ? readJson(body) : 'wrong-type';
}

function readJson(body: string): Fields | 'no-json' {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 'no-json';
  } catch {
    return 'no-json';
  }
}
