import { formatRelease, type Job, type Stores } from '@handover/domain';

/** Everything that ports and pages show of the organisations, by kind. */
export type Observation = Readonly<Record<string, unknown>>;

const DAY_MS = 24 * 60 * 60 * 1000;
const MANY = 200;

/**
 * Reads everything that people see from the stores: lists, counts and reports, and each purchase, entry and session.
 */
export async function observe(
  stores: Stores,
  { orgIds, now }: { readonly orgIds: readonly string[]; readonly now: Date },
): Promise<Observation> {
  const questions: Record<string, Promise<unknown>> = {
    unassigned: stores.unassigned.list({ after: null, limit: MANY }),
  };
  for (const [at, orgId] of orgIds.entries()) {
    for (const [what, ask] of Object.entries(QUESTIONS))
      questions[`${what} of ${at}`] = ask(stores, orgId, now);
    questions[`details of ${at}`] = observeDetails(stores, orgId);
  }
  const answers = Object.entries(questions).map(async ([what, answer]) => [what, await answer] as const);
  return Object.fromEntries(await Promise.all(answers));
}

type Question = (stores: Stores, orgId: string, now: Date) => Promise<unknown>;

const PAGE = { before: null, limit: MANY } as const;

const QUESTIONS: Readonly<Record<string, Question>> = {
  organisation: ({ organisations }, orgId) => organisations.find(orgId),
  team: ({ team }, orgId) => team.list(orgId),
  invitations: ({ invitations }, orgId) => invitations.list(orgId),
  connections: ({ connections }, orgId, now) => connections.listFacts(orgId, now),
  products: ({ products }, orgId) => products.search(orgId, { ...PAGE, text: '', status: null }),
  mappings: ({ skuMappings }, orgId) => collect(skuMappings.list(orgId)),
  'the webhook log': ({ deliveries }, orgId) =>
    deliveries.search(orgId, { ...PAGE, text: '', status: null, connectionId: null }),
  'counts of the webhook log': ({ deliveries }, orgId) => deliveries.count(orgId, null),
  'unmatched SKUs': ({ openDeliveries }, orgId) =>
    openDeliveries.listUnmatched(orgId, { after: null, limit: MANY }),
  'the count of unmatched SKUs': ({ openDeliveries }, orgId) => openDeliveries.countUnmatched(orgId),
  rejections: ({ rejected }, orgId) => rejected.summary(orgId),
  purchases: ({ purchases }, orgId) =>
    purchases.search(orgId, {
      ...PAGE,
      text: '',
      productId: null,
      customerId: null,
      source: null,
      receipt: null,
    }),
  sessions: ({ sessions }, orgId, now) => sessions.search(orgId, { ...PAGE, text: '', state: null, now }),
  // An alert that was given up is named, and so ordered, like its mail, whose id may be made by the store.
  activity: async ({ activity }, orgId) =>
    (await activity.list(orgId, { ...PAGE, subjectId: null })).filter(
      ({ kind }) => kind !== 'alert-given-up',
    ),
  'metrics of today': ({ metrics }, orgId, now) =>
    metrics.ofToday(orgId, { midnight: new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS), now }),
  'metrics by day': ({ metrics }, orgId, now) =>
    metrics.byDay(orgId, { from: new Date(now.getTime() - 30 * DAY_MS), until: now }),
  'the report of downloads': ({ metrics }, orgId, now) =>
    metrics.ofDownloads(orgId, { from: new Date(now.getTime() - 30 * DAY_MS), until: now }),
  actionItems: ({ actionItems }, orgId, now) => actionItems.read(orgId, now),
  'first steps': ({ actionItems }, orgId) => actionItems.firstSteps(orgId),
};

async function observeDetails(stores: Stores, orgId: string): Promise<unknown> {
  const { deliveries, purchases, sessions, products, openDeliveries } = stores;
  const log = await deliveries.list(orgId, { ...PAGE, status: null, platform: null });
  const sold = await collect(purchases.list(orgId));
  const period = { from: new Date(0), until: new Date(8.64e14) };
  const downloads = await collect(sessions.list(orgId, period));
  const listed = await collect(products.list(orgId));
  return {
    log,
    sold,
    downloads,
    listed,
    entries: await Promise.all(log.map(({ id }) => deliveries.open(orgId, id))),
    stored: await Promise.all(log.map(({ id }) => deliveries.find(orgId, id))),
    records: await Promise.all(sold.map(({ id }) => purchases.show(orgId, id))),
    mailings: await Promise.all(sold.map(({ id }) => stores.mailings.find(orgId, id))),
    sessions: await Promise.all(downloads.map(({ id }) => sessions.show(orgId, id))),
    versions: await Promise.all(listed.map(({ product: { id } }) => products.listVersions(orgId, id, MANY))),
    held: await Promise.all(listed.map(({ product: { id } }) => openDeliveries.listHeld(orgId, id, MANY))),
  };
}

async function collect<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

/** The subjects of jobs. How often one is queued is up to each store: jobs are idempotent. */
export function describeJobs(
  jobs: readonly Job[],
  nameAlertMail?: (id: string) => string,
): readonly string[] {
  return [...new Set(jobs.map((job) => describeJob(job, nameAlertMail)))].sort();
}

/** A job by its kind and the id of its subject, at any time. */
export function describeJob(job: Job, nameAlertMail: (id: string) => string = (id) => id): string {
  switch (job.kind) {
    case 'fulfil-delivery':
    case 'resolve-delivery':
      return `${job.kind} ${job.deliveryId}`;
    case 'release-entries':
      return `${job.kind} ${job.orgId} ${formatRelease(job.release)}`;
    case 'run-bulk-action':
      return `${job.kind} ${job.bulkId}`;
    case 'send-email':
      return `${job.kind} ${job.emailKind === 'alert' ? nameAlertMail(job.emailId) : job.emailId}`;
  }
}
