import type { Acknowledged } from './load.ts';
import { type Copy, NO_MAILBOX } from './mail-server.ts';
import type { ProgramName } from './plan-faults.ts';

/** When a program could not record what it knew, or the database was not available. */
export interface Outage {
  /** Null: it concerns every program, because the database had the fault. */
  readonly program: ProgramName | null;
  readonly from: number;
  readonly to: number;
}

export interface SoldProduct {
  readonly email: string;
  readonly sku: string;
}

/** How many receipts of a buyer were sent, according to the database. */
export interface SentReceipts {
  readonly email: string;
  readonly count: number;
}

export interface Metrics {
  /** Orders that were answered 2xx, by their buyers. */
  readonly acknowledged: number;
  /** Products of those orders without a purchase, or without a mail to their buyer. */
  readonly lost: readonly string[];
  readonly boughtTwice: readonly string[];
  readonly mailedTwice: readonly string[];
  /** Within the stated window: the mail server's answer could not be read, or not be recorded. */
  readonly mailedTwiceInWindow: number;
}

/** The maximum time of a program from the mail server's answer to its commit. */
const COMMITS_WITHIN_MS = 2_000;

/** Checks the result of the run. */
export function tally({
  acknowledged,
  purchases,
  receipts,
  copies,
  outages,
}: {
  readonly acknowledged: Iterable<Acknowledged>;
  readonly purchases: readonly SoldProduct[];
  readonly receipts: readonly SentReceipts[];
  readonly copies: readonly Copy[];
  readonly outages: readonly Outage[];
}): Metrics {
  const bought = countBy(purchases, ({ email, sku }) => `${email} ${sku}`);
  const mails = countBy([...new Map(copies.map((copy) => [copy.messageId, copy])).values()], ({ to }) => to);
  const promised = [...acknowledged];
  const lost = [
    ...promised.flatMap(({ email, skus }) => {
      const missing = [...skus].filter((sku) => !bought.has(`${email} ${sku}`));
      const isUntold = !mails.has(email) && !email.startsWith(NO_MAILBOX);
      return isUntold ? [`${email}: no mail`] : missing.map((sku) => `${email} ${sku}`);
    }),
    ...receipts
      .filter(({ email, count }) => (mails.get(email) ?? 0) < count)
      .map(({ email }) => `${email}: a receipt counts as sent, and was not`),
  ];
  const repeated = listRepeated(copies).map((repeat) => ({
    ...repeat,
    isInWindow: isInWindow(repeat.former, outages),
  }));
  return {
    acknowledged: promised.length,
    lost,
    boughtTwice: [...bought].filter(([, count]) => count > 1).map(([name]) => name),
    mailedTwice: repeated
      .filter(({ isInWindow }) => !isInWindow)
      .map(
        ({ former, copy }) =>
          `${copy.to} ${copy.messageId}: by ${former.program}, and by ${copy.program} ` +
          `${((copy.at - former.at) / 1000).toFixed(1)} s later (at ${(copy.at / 1000).toFixed(1)} s)`,
      ),
    mailedTwiceInWindow: repeated.filter(({ isInWindow }) => isInWindow).length,
  };
}

/** Each copy of a mail that came after another copy. */
function listRepeated(copies: readonly Copy[]): readonly { readonly former: Copy; readonly copy: Copy }[] {
  const last = new Map<string, Copy>();
  const repeated: { former: Copy; copy: Copy }[] = [];
  for (const copy of copies) {
    const former = last.get(copy.messageId);
    if (former) repeated.push({ former, copy });
    last.set(copy.messageId, copy);
  }
  return repeated;
}

function isInWindow({ answered, program, at }: Copy, outages: readonly Outage[]): boolean {
  if (!answered) return true;
  return outages.some(
    (outage) =>
      (outage.program === null || outage.program === program) &&
      outage.from <= at + COMMITS_WITHIN_MS &&
      outage.to >= at,
  );
}

function countBy<T>(all: readonly T[], nameOf: (one: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1);
  return counts;
}
