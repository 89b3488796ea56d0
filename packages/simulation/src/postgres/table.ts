import type { Memory } from '@handover/domain/memory';

/** What is compared of a table, as PostgreSQL and the memory keep it. */
export interface Table {
  readonly from: string;
  readonly columns: readonly string[];
  readonly inMemory: (memory: Memory, now: Date) => readonly (readonly unknown[])[];
}

/** A time in milliseconds. */
export function at(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::bigint`;
}
