/**
 * `attachment` with a file name that every browser reads right: plain ASCII for the oldest (RFC 6266), and beside it
 * the name itself wherever that would lose something (RFC 8187).
 */
export function contentDisposition(fileName: string): string {
  const name = fileName.toWellFormed();
  // Some browsers decode %xx even in the plain form, and quotes and backslashes are undone in different ways.
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
