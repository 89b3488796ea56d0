import type { Candidate, Order, OrderLine } from '../model/order.ts';
import type { OrderSnapshot } from '../model/plan.ts';
import { normalizeSku } from '../model/sku-mapping.ts';
import { matchLine } from './match-line.ts';

type Catalogue = Pick<OrderSnapshot, 'mappings' | 'products'>;

/** All names that may tell what an order's lines mean. */
export function listOrderCandidates({ lines }: Pick<Order, 'lines'>): readonly Candidate[] {
  const texts = new Set(lines.flatMap(({ listedIn }) => listedIn ?? []));
  return [...lines.flatMap(({ candidates }) => candidates), ...[...texts].map(asCandidate)];
}

/**
 * A comma in a text may stand between two products, or within the name of one. It is one where somebody has mapped the
 * whole text, or where a piece of it means nothing and the whole names a product: then its lines are one line.
 */
export function joinListedLines(order: Order, known: Catalogue): Order {
  const wholes = new Set(
    [...Map.groupBy(order.lines, ({ listedIn }) => listedIn)].flatMap(([text, lines]) =>
      text !== undefined && isOneName(text, lines, order, known) ? [text] : [],
    ),
  );
  if (wholes.size === 0) return order;
  const joined = new Set<string>();
  const lines = order.lines.flatMap((line) => {
    const text = line.listedIn;
    if (text === undefined || !wholes.has(text)) return [line];
    if (joined.has(text)) return [];
    joined.add(text);
    return [{ ...line, candidates: [asCandidate(text)], title: text }];
  });
  return { ...order, lines };
}

function isOneName(text: string, lines: readonly OrderLine[], order: Order, known: Catalogue): boolean {
  const sku = normalizeSku(text);
  const isMapped = known.mappings.some(
    (mapping) => mapping.sku === sku && (mapping.platform === null || mapping.platform === order.platform),
  );
  if (isMapped) return true;
  const means = (candidates: readonly Candidate[], line: OrderLine) =>
    matchLine({ ...line, candidates }, order.platform, known).kind !== 'unmatched';
  const [first] = lines;
  const isListed = lines.every((line) => means(line.candidates, line));
  return !isListed && first !== undefined && means([asCandidate(text)], first);
}

function asCandidate(value: string): Candidate {
  return { kind: 'sku', value };
}
