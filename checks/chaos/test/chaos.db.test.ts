import { expect, it } from 'vitest';
import { isWell, playChaos } from '../play.ts';

it('faults of whole processes lose nothing, duplicate no purchase or mail, and everything completes', async () => {
  const said: string[] = [];
  const report = await playChaos({
    seed: 4,
    faults: 6,
    longestFreezeMs: 6_000,
    mayMount: false,
    salesPerSecond: 4,
    completeWithinMs: 120_000,
    say: (line) => said.push(line),
  });
  expect({ ...report, said: isWell(report) ? [] : said }).toMatchObject({
    lost: [],
    boughtTwice: [],
    mailedTwice: [],
    endedByThemselves: 0,
    incomplete: null,
    completeAfterMs: expect.any(Number),
    said: [],
  });
  const unanswered = report.unanswered['connection broken'] + report.unanswered['timed out'];
  const refused = Object.values(report.refused).reduce((sum, count) => sum + count, 0);
  expect(report.requestsAcknowledged + unanswered + refused).toBe(report.requests);
  // Nothing can be lost if nothing was sold.
  expect(report.acknowledged).toBeGreaterThan(0);
});
