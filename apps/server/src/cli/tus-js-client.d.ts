import type { UrlStorage } from 'tus-js-client';

// Missing in the library's own types.
declare module 'tus-js-client' {
  /** Records uploads in a JSON file; for Node only. */
  export const FileUrlStorage: new (path: string) => UrlStorage;
}
