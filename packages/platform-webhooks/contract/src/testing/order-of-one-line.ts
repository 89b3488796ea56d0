import type { Candidate, TranslatedOrder } from '@handover/domain';

/** An order as most specimens are: one line that was bought once, no test, and nothing to note. */
export function orderOfOneLine(
  named: Pick<TranslatedOrder, 'orderId' | 'orderNumber' | 'currency' | 'total'>,
  customer: TranslatedOrder['customer'],
  line: SpecimenLine,
): TranslatedOrder {
  const candidates = line.candidates.map(readCandidate);
  return { ...named, customer, lines: [{ ...line, candidates, quantity: 1 }], test: false, notes: [] };
}

interface SpecimenLine {
  /** Each a kind and a value, such as `sku PAD-1`. */
  readonly candidates: readonly `${Candidate['kind']} ${string}`[];
  readonly amount: string;
  readonly title: string | null;
}

function readCandidate(text: `${Candidate['kind']} ${string}`): Candidate {
  const [kind, value] = text.split(/ (.*)/s) as [Candidate['kind'], string];
  return { kind, value };
}
