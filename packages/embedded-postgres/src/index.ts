export { type Claim, claimDirectory, type Holder } from './claim-directory.ts';
export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './errors.ts';
export { findEmbeddedPostgres, isPostmasterThere } from './find-embedded-postgres.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
} from './start-embedded-postgres.ts';
export type { StopLimits } from './stop-postmaster.ts';
export { abandonUpgrade, findFormerPrograms, readDataVersions, upgradeData } from './upgrade-data.ts';
