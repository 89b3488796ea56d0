import type { Candidate, TranslatedOrder } from '@handover/domain';

/** An order like that of most specimens: one line with a quantity of one, not a test order, no notes. */
export function orderOfOneLine(
  named: Pick<TranslatedOrder, 'orderId' | 'orderNumber' | 'currency' | 'total'>,
  customer: TranslatedOrder['customer'],
  line: SpecimenLine,
): TranslatedOrder {
  const candidates = line.candidates.map(readCandidate);
  return { ...named, customer, lines: [{ ...line, candidates, quantity: 1 }], test: false, notes: [] };
}

interface SpecimenLine {
  /** A kind and a value each, such as `sku PAD-1`. */
  readonly candidates: readonly `${Candidate['kind']} ${string}`[];
  readonly amount: string;
  readonly title: string | null;
}

function readCandidate(text: `${Candidate['kind']} ${string}`): Candidate {
  const [kind, value] = text.split(/ (.*)/s) as [Candidate['kind'], string];
  return { kind, value };
}
