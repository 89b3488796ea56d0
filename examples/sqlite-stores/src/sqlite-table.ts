import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Memory, SearchableTable } from '@handover/domain/memory';
import { readDocument, writeDocument } from './documents.ts';
import { INDEXES, uniqueKeyOf } from './indexes.ts';

/** A table of documents, used like a Map. It iterates in the order of insertion. */
export class SqliteTable<Row> extends Map<string, Row> implements SearchableTable<Row> {
  readonly #database: DatabaseSync;
  readonly #name: keyof Memory;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, name: keyof Memory) {
    super();
    this.#database = database;
    this.#name = name;
    database.exec(
      `create table if not exists "${name}" (
         position integer primary key, key text not null unique, unique_key text unique, document text not null
       ) strict`,
    );
    for (const members of INDEXES[name] ?? [])
      database.exec(
        `create index if not exists "${name}_${members.join('_')}" on "${name}" (${members.map(memberOf).join(', ')})`,
      );
  }

  override get size(): number {
    return Number(this.#prepare('select count(*) as count from :table').get()?.count);
  }

  override get(key: string): Row | undefined {
    const found = this.#prepare('select document from :table where key = ?').get(key);
    return found && readDocument<Row>(found.document);
  }

  override has(key: string): boolean {
    return this.#prepare('select 1 from :table where key = ?').get(key) !== undefined;
  }

  override set(key: string, row: Row): this {
    this.#prepare(
      `insert into :table (key, unique_key, document) values (?, ?, ?)
       on conflict (key) do update set unique_key = excluded.unique_key, document = excluded.document`,
    ).run(key, uniqueKeyOf(this.#name, row), writeDocument(row));
    return this;
  }

  override delete(key: string): boolean {
    return this.#prepare('delete from :table where key = ?').run(key).changes === 1;
  }

  override clear(): void {
    this.#prepare('delete from :table').run();
  }

  override *entries(): MapIterator<[string, Row]> {
    const all = this.#prepare('select key, document from :table order by position').all();
    for (const { key, document } of all) yield [String(key), readDocument<Row>(document)];
  }

  override *keys(): MapIterator<string> {
    for (const { key } of this.#prepare('select key from :table order by position').all()) yield String(key);
  }

  override *values(): MapIterator<Row> {
    const all = this.#prepare('select document from :table order by position').all();
    for (const { document } of all) yield readDocument<Row>(document);
  }

  /** Uses an index if `INDEXES` has one. */
  *where(match: Partial<Row>): Iterable<Row> {
    const members = Object.keys(match);
    const condition = members.map((member) => `${memberOf(member)} is ?`).join(' and ');
    const search = this.#prepare(`select document from :table where ${condition} order by position`);
    for (const { document } of search.all(...(Object.values(match) as SQLInputValue[])))
      yield readDocument<Row>(document);
  }

  override [Symbol.iterator](): MapIterator<[string, Row]> {
    return this.entries();
  }

  override forEach(visit: (row: Row, key: string, table: Map<string, Row>) => void): void {
    for (const [key, row] of this.entries()) visit(row, key, this);
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = this.#database.prepare(text.replace(':table', `"${this.#name}"`));
    this.#statements.set(text, statement);
    return statement;
  }
}

function memberOf(name: string): string {
  return `document ->> '${name}'`;
}
