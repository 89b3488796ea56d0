import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { orderBySeconds } from './order-by-seconds.ts';

/** Seconds that the slowest files take. */
const durations: ReadonlyMap<string, number> = new Map(
  Object.entries(JSON.parse(readFileSync(new URL('./durations.json', import.meta.url), 'utf8'))),
);

/**
 * The slowest files of each project start first, so that none of them is left for the end, where it would run alone.
 * Vitest orders by the durations of its last run; a fresh clone has none, and there it takes a large file for a slow one.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return orderBySeconds(await super.sort(files), {
      projectOf: ({ project }) => project.name,
      secondsOf: ({ moduleId }) => durations.get(relative(this.ctx.config.root, moduleId)) ?? 0,
    });
  }
}
