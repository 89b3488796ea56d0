import type { Memory } from '@handover/domain/memory';

/** A table of both stores. */
export interface Table {
  readonly from: string;
  /** Its columns as expressions of SQL. */
  readonly columns: readonly string[];
  /** The same columns of the rows in memory. */
  readonly inMemory: (memory: Memory, now: Date) => readonly (readonly unknown[])[];
}

/** Rows of PostgreSQL and of the memory that must be equal. */
export function tableOf<Row>(from: string, inMemory: (memory: Memory, now: Date) => Iterable<Row>) {
  return {
    /**
     * Compares these members of the rows in memory with the columns of the same names, times in milliseconds.
     * `expressions`: what stands for a member in PostgreSQL, where no column has that name.
     */
    compare<Member extends keyof Row & string>(
      members: readonly Member[],
      expressions?: Readonly<Partial<Record<Member, string>>>,
    ): Table {
      return {
        from,
        columns: members.map((member) => expressions?.[member] ?? columnOf(member)),
        inMemory: (memory, now) =>
          [...inMemory(memory, now)].map((row) => members.map((member) => row[member])),
      };
    },
  };
}

/** A time in milliseconds. */
export function at(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::bigint`;
}

function columnOf(member: string): string {
  const column = member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return /(^at|_at|_until|_since|^hour)$/.test(column) ? at(column) : column;
}
