import type { Memory } from '@handover/domain/memory';

/** The compared columns of a table, in PostgreSQL and in memory. */
export interface Table {
  readonly from: string;
  readonly columns: readonly string[];
  readonly inMemory: (memory: Memory, now: Date) => readonly (readonly unknown[])[];
}

/** A time in milliseconds. */
export function at(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::bigint`;
}
