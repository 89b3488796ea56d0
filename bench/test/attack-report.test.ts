import { describe, expect, it } from 'vitest';
import type { AttackRequest } from '../attack/make-request.ts';
import { createHoldMeter, isLonger } from '../attack/measure-hold.ts';
import { createReport } from '../attack/report.ts';
import type { Answered } from '../attack/send-request.ts';

const REQUEST: AttackRequest = {
  number: 4711,
  route: 'PUT /api/products/:productId',
  method: 'PUT',
  path: '/api/products/019a0000-0000-7000-8000-000000000001?q=1',
  headers: {},
  body: null,
  manner: 'whole',
  isLarge: false,
};
const BROKEN: Answered = { status: 500, headers: {}, text: 'It\nbroke\r\n\r\nbadly', isSilent: false };
const FINDING = 'number 4711, route PUT /api/products/:productId: 500: PUT /api/products/:id It broke badly';

describe('the report of an attack', () => {
  it('prints a finding at once, on one line with number, route and kind; equal findings once', () => {
    const said: string[] = [];
    const report = createReport((line) => said.push(line));
    report.note(REQUEST, { ...BROKEN, status: 200 }, false);
    expect(said).toEqual([]);
    report.note(REQUEST, BROKEN, false);
    expect(said).toEqual([`Found: ${FINDING}`]);
    report.note({ ...REQUEST, number: 4712 }, BROKEN, false);
    expect(said).toHaveLength(1);
    report.note(REQUEST, { ...BROKEN, status: 200 }, true);
    expect(said[1]).toMatch(/^Found: number 4711, route .*: leak: .* tells of the other organisation$/);
  });

  it('prints a summary at the end', () => {
    const said: string[] = [];
    const report = createReport((line) => said.push(line));
    report.note(REQUEST, BROKEN, false);
    said.length = 0;
    expect(report.print()).toBe(false);
    expect(said.at(0)).toMatch(/^\n1 requests in \d+ s\. 5xx: 1$/);
    expect(said.at(-1)).toBe(`Found 1:\n${FINDING}`);
    const well: string[] = [];
    expect(createReport((line) => well.push(line)).print()).toBe(true);
    expect(well.at(-1)).toBe('Nothing was found.');
  });

  it('prints both CPU time and wall-clock time of a blocked event loop', () => {
    const said: string[] = [];
    const report = createReport((line) => said.push(line));
    report.addLongest({ wallMs: 300.4, cpuMs: 61.2 });
    report.addLongest({ wallMs: 900, cpuMs: 20 });
    report.addHold(REQUEST, 'PUT /api/products (5 bytes)', { wallMs: 300.4, cpuMs: 61.2 });
    expect(said).toEqual([
      `Found: number 4711, route ${REQUEST.route}: held: PUT /api/products (5 bytes) for 61 ms of processor time (300 ms by the clock)`,
    ]);
    report.print();
    expect(said).toContain(
      'The longest that the event loop was held while a request was measured: 61 ms of processor time (300 ms by the clock).',
    );
  });
});

describe('a hold of the event loop', () => {
  it('is measured in wall-clock time and in CPU time, which excludes waiting', () => {
    const measure = createHoldMeter();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    const waited = measure();
    expect(waited.wallMs).toBeGreaterThan(190);
    expect(waited.cpuMs).toBeLessThan(100);
    const { user } = process.threadCpuUsage();
    while (process.threadCpuUsage().user - user < 110_000);
    const worked = measure();
    expect(worked.cpuMs).toBeGreaterThanOrEqual(110);
    expect(worked.wallMs).toBeGreaterThan(100);
    expect(isLonger(worked, waited)).toBe(true);
    expect(isLonger(waited, worked)).toBe(false);
  });
});
