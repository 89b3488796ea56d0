export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './errors.ts';
export { findEmbeddedPostgres, isPostmasterThere } from './find-embedded-postgres.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
