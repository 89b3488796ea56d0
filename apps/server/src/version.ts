import { createRequire } from 'node:module';

/** Written into the bundle of a release by its build. */
declare const HANDOVER_COMMIT: string | undefined;

export interface Version {
  readonly version: string;
  /** The commit that a release was built from. Null: this is not a release. */
  readonly commit: string | null;
}

/** Which Handover this is. */
export const VERSION: Version = {
  version: (createRequire(import.meta.url)('../package.json') as Version).version,
  commit: typeof HANDOVER_COMMIT === 'string' ? HANDOVER_COMMIT : null,
};
