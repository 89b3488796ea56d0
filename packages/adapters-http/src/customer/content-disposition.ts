/**
 * `attachment` with a file name that every browser reads correctly: ASCII for old browsers (RFC 6266),
 * followed by the exact name where ASCII would lose something (RFC 8187).
 */
export function contentDisposition(fileName: string): string {
  const name = fileName.toWellFormed();
  // Some browsers decode %xx in the plain form too, and unescape quotes and backslashes in different ways.
  const plain = name.replace(/[^\x20-\x7e]|["%\\]/gu, '_');
  const header = `attachment; filename="${plain}"`;
  return plain === name ? header : `${header}; filename*=UTF-8''${encodeExtended(name)}`;
}

function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
