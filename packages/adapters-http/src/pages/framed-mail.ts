/**
 * The headers of a mail's HTML in a frame of a page of ours. It has inline styles, as mails need them, and may do nothing
 * but what the sandbox allows.
 */
export function headersOfFramedMail(sandbox: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; " +
      `sandbox ${sandbox}`.trim(),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
  };
}
