import type { Kysely } from 'kysely';

/**
 * One change of the schema, safe beside running servers: none of the kinds holds a lock on a table for longer than a
 * second while others wait for it.
 */
export type Migration = {
  /**
   * The oldest migration whose programs may go on beside the changed schema: they neither read nor write what it
   * changes. What former programs may ignore, such as a new column, repeats what the migration before it names; what removes
   * something names the first whose programs do without it.
   */
  readonly compatibleWith: string;
} & (TableMigration | IndexMigration | BackfillMigration | ValidationMigration);

/**
 * Changes of tables that take milliseconds, in one transaction, each statement on its own (`executeEach`). New columns are
 * nullable or have a constant default.
 */
interface TableMigration {
  readonly kind: 'tables';
  readonly up: (db: Kysely<unknown>) => Promise<unknown>;
}

/** Indexes on tables that have rows. They are built and dropped concurrently, outside a transaction. */
interface IndexMigration {
  readonly kind: 'indexes';
  readonly create?: readonly NewIndex[];
  readonly drop?: readonly string[];
}

interface NewIndex {
  readonly name: string;
  readonly unique?: true;
  /** What follows `on`, such as `deliveries (org_id, order_id) where order_id is not null`. */
  readonly on: string;
}

/** Fills in rows, batch by batch in the order of their key. It can be interrupted, and then begins again. */
interface BackfillMigration {
  readonly kind: 'backfill';
  readonly table: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** Such as `product_id = link.product_id`; the row is `filled`. */
  readonly set: string;
  /** Which rows are not filled in yet, such as `filled.product_id is null`. */
  readonly where: string;
}

/** Checks constraints that were added as `not valid`, while rows are read and written. */
interface ValidationMigration {
  readonly kind: 'validation';
  readonly constraints: readonly { readonly table: string; readonly name: string }[];
}

export type MigrationOf<Kind extends Migration['kind']> = Extract<Migration, { readonly kind: Kind }>;
