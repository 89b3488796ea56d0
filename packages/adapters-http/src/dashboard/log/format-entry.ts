import type {
  DeliveryStatus,
  LineOutcome,
  LogEntry,
  LogLine,
  Platforms,
  RedeliverResult,
} from '@handover/domain';
import { capitalise } from '../../pages/words.ts';
import type { Toast } from '../parts/toast.ts';

/** The outcome of an entry in one line: the most important SKU, and the reason. */
export interface FormattedEntry {
  readonly sku: string | null;
  readonly words: string;
}

type NamedEntry = Pick<LogEntry, 'orderNumber' | 'orderId' | 'platform' | 'status'>;

/** "Shopify order #1186", for titles and sentences: two shops can use the same numbers. */
export function titleOfEntry(platforms: Platforms, entry: NamedEntry): string {
  const isOrder = (entry.orderNumber ?? entry.orderId) !== null;
  const name = nameOfEntry(entry);
  return isOrder ? `${platforms.vendorOf(entry.platform)} order ${name}` : name;
}

/** An entry's name for people: the number of its order. An ignored entry was read, but is not an order. */
export function nameOfEntry({
  orderNumber,
  orderId,
  status,
}: Pick<NamedEntry, 'orderNumber' | 'orderId' | 'status'>): string {
  return orderNumber ?? orderId ?? (status === 'ignored' ? 'Not an order' : 'Unreadable delivery');
}

export function formatEntry(entry: LogEntry): FormattedEntry {
  const line = mostTelling(entry);
  if (!line) return { sku: null, words: firstSentence(entry.reason) ?? WITHOUT_REASON[entry.status] };
  const more = entry.lineCount > 1 ? `, and ${entry.lineCount - 1} more` : '';
  return { sku: line.sku || null, words: `${lineOf(entry, line)}${more}` };
}

/** For example "The product is still a draft", from a longer explanation that begins with the SKU. */
export function shortReason({ sku, reason }: Pick<LogLine, 'sku' | 'reason'>): string | null {
  const bare = reason?.startsWith(`${sku}: `) ? reason.slice(sku.length + 2) : reason;
  const sentence = firstSentence(bare ?? null);
  return sentence && capitalise(sentence);
}

function lineOf(entry: LogEntry, line: LogLine): string {
  if (line.outcome === 'held') return shortReason(line) ?? firstSentence(entry.reason) ?? 'Held';
  if (line.outcome === 'unmatched') return line.sku ? 'No product has this SKU' : 'A line without a SKU';
  if (line.outcome === 'not-ours') return 'This SKU is ignored';
  // The order was delivered, so the reason is about the mail.
  if (entry.status !== 'success' && entry.reason) return firstSentence(entry.reason) ?? '';
  const product = line.productName ?? line.sku;
  return line.outcome === 'delivered' ? `${product} delivered` : `${product} was delivered before`;
}

/** After a failure the line that failed; after a success a delivered line. */
function mostTelling({ status, lines }: LogEntry): LogLine | undefined {
  const order = status === 'success' || status === 'pending' ? GOOD_FIRST : TROUBLE_FIRST;
  for (const outcome of order) {
    const line = lines.find((candidate) => candidate.outcome === outcome);
    if (line) return line;
  }
  return undefined;
}

const TROUBLE_FIRST = ['held', 'unmatched', 'delivered', 'already-delivered', 'not-ours'] as const;
const GOOD_FIRST: readonly LineOutcome[] = ['delivered', 'already-delivered', ...TROUBLE_FIRST];

const WITHOUT_REASON: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'Being processed',
  success: 'Delivered',
  error: 'Nothing was delivered',
  held: 'Held',
  ignored: 'Not a completed order',
};

/** Without its full stop. Addresses and numbers contain full stops too, but no blank follows those. */
function firstSentence(text: string | null): string | null {
  return text === null ? null : (text.split(/(?<=[.!?])\s+(?=[\p{Lu}“])/u, 1)[0] ?? text).replace(/\.$/, '');
}

/** What became of an entry that was processed again. */
export function redeliveredToast(
  platforms: Platforms,
  { delivery }: Extract<RedeliverResult, { readonly kind: 'redelivered' }>,
): Toast {
  const title = `${titleOfEntry(platforms, delivery)} was processed again`;
  switch (delivery.status) {
    case 'pending':
      return { title, sentence: 'Its receipt is on its way.' };
    case 'success':
      return { title, sentence: 'All of it is delivered.' };
    case 'held':
      return { title, sentence: 'A line of it is still held.' };
    case 'error':
      return { title, sentence: 'Nothing of it could be delivered.' };
    case 'ignored':
      return { title, sentence: 'It has nothing to deliver.' };
  }
}
