export type ReadCompletion =
  | { readonly kind: 'completion'; readonly token: string; readonly sessionId: string | null }
  | { readonly kind: 'unreadable'; readonly problem: string }
  | { readonly kind: 'wrong-type' };

/** Reads the body of download-complete: JSON, or a form of either kind. */
export async function readCompletion(
  contentType: string | undefined,
  body: Uint8Array<ArrayBuffer>,
): Promise<ReadCompletion> {
  const fields = await readFields(contentType, body);
  if (fields === 'wrong-type') return { kind: fields };
  if (fields === 'no-json') return { kind: 'unreadable', problem: 'The body is not a JSON object.' };
  if (fields === 'no-form') return { kind: 'unreadable', problem: 'The body is not a form.' };
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

async function readFields(
  contentType: string | undefined,
  body: Uint8Array<ArrayBuffer>,
): Promise<Fields | 'no-json' | 'no-form' | 'wrong-type'> {
  const text = new TextDecoder().decode(body);
  switch (contentType?.split(';')[0]?.trim().toLowerCase()) {
    case 'application/json':
      return readJson(text);
    case 'multipart/form-data':
      return readMultipart(contentType ?? '', body);
    // What curl sends unless told otherwise, so the body may be JSON.
    case 'application/x-www-form-urlencoded':
      return sniff(text) ?? readForm(new URLSearchParams(text));
    // navigator.sendBeacon sends a string as plain text, and some clients name no type.
    case 'text/plain':
    case undefined:
      // A request without a body names no type, and the error should name the missing token.
      return text === '' ? {} : (sniff(text) ?? 'wrong-type');
    default:
      return 'wrong-type';
  }
}

/** Reads what looks like JSON or like a form with a token; null for anything else. */
function sniff(text: string): Fields | 'no-json' | null {
  if (text.trimStart().startsWith('{')) return readJson(text);
  const form = readForm(new URLSearchParams(text));
  return form.token === undefined ? null : form;
}

function readForm(form: Pick<URLSearchParams | FormData, 'get'>): Fields {
  return { token: form.get('token') ?? undefined, sessionId: form.get('sessionId') ?? undefined };
}

async function readMultipart(
  contentType: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<Fields | 'no-form'> {
  const form = new Response(body, { headers: { 'content-type': contentType } }).formData();
  return form.then(readForm, () => 'no-form' as const);
}

function readJson(body: string): Fields | 'no-json' {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 'no-json';
  } catch {
    return 'no-json';
  }
}
