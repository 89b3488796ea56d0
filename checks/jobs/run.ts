// The 17 jobs that people come for, done in a browser against a running server, with their clicks, typed fields and
// seconds: npm run jobs [part of a name]. It fails when a job takes more clicks than it may.
import { type BrowserContext, chromium } from 'playwright-core';
import { findChromium } from '../../test/chromium.ts';
import { type Installation, openInstallation } from './installation.ts';
import type { Job } from './job.ts';
import { OPERATOR_JOBS } from './operator-jobs.ts';
import { BUYER_JOBS, SIGN_IN } from './other-jobs.ts';
import { createPerson } from './person.ts';

const WAIT_MS = 60_000;
/** A part of the name of the jobs to do. A later one can need what an earlier one left. */
const [, , part = ''] = process.argv;
const isAsked = ({ name }: Job) => name.includes(part);

const installation = await openInstallation();
const browser = await chromium.launch(await findChromium());
const rows = [];
try {
  const owner = await openBrowser();
  rows.push(await doJob(owner, SIGN_IN, installation));
  for (const job of OPERATOR_JOBS.filter(isAsked)) rows.push(await doJob(owner, job, installation));
  const buyer = await openBrowser();
  for (const job of BUYER_JOBS.filter(isAsked)) rows.push(await doJob(buyer, job, installation));
  console.table(rows);
  if (rows.some(({ done }) => done !== 'yes')) process.exitCode = 1;
} finally {
  await browser.close();
  await installation.end();
}

async function openBrowser(): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(WAIT_MS);
  return context;
}

async function doJob(context: BrowserContext, { name, maxClicks, prepare, work }: Job, from: Installation) {
  const start = (await prepare?.(from)) ?? '/dashboard/overview';
  const page = await context.newPage();
  const person = createPerson(page);
  await page.goto(new URL(start, from.url).href);
  const began = performance.now();
  const problem = await work(person, from).then(
    () => null,
    (error: Error) => error.message.split('\n').slice(0, 3).join(' '),
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const { clicks, fields } = person.effort;
  if (problem) console.error(`${name}, at ${page.url()}: ${problem}`);
  if (problem && process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
  await page.close();
  const done = problem ? 'no' : clicks > maxClicks ? 'too many clicks' : 'yes';
  return { job: name, clicks, 'at most': maxClicks, fields, seconds, done };
}
