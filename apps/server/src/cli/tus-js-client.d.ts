import type { UrlStorage } from 'tus-js-client';

// Missing from the library's own types.
declare module 'tus-js-client' {
  /** Remembers uploads in a JSON file; made for Node alone. */
  export const FileUrlStorage: new (path: string) => UrlStorage;
}
