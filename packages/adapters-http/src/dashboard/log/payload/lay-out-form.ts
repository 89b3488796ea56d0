import { isSecretName } from '@handover/platform-contract';
import { isPersonalName, isPersonObject, type Piece, textPiece } from './redact-personal-data.ts';
import { describeLength, isTooLong, showValue } from './show-value.ts';

export function isForm(text: string): boolean {
  return text.indexOf('=') > 0 && !/[\s<>{}"]/.test(text);
}

/** One decoded pair per line. The pair at a cut is left out. */
export function* layOutForm(text: string, isCut: boolean): Generator<Piece> {
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf('&', start);
    if (found < 0 && isCut) return;
    const end = found < 0 ? text.length : found;
    if (start > 0) yield textPiece('\n');
    yield* layOutPair(text.slice(start, end));
    start = end + 1;
  }
}

function layOutPair(pair: string): readonly Piece[] {
  const at = pair.indexOf('=');
  const written = at < 0 ? pair : pair.slice(0, at);
  if (isTooLong(written)) return [textPiece(describeLength(pair))];
  const name = decode(written);
  if (at < 0) return [showValue(name, name, { isSecret: false, isPersonal: false })];
  // Brackets nest names; numbers are ignored: `order[charges][0][email]`.
  const steps = name.split(/[[\]]/).filter((step) => /\D/.test(step));
  const ofPerson = steps.some(isPersonObject);
  const naming = {
    isSecret: steps.some(isSecretName),
    isPersonal: isPersonalName(steps.at(-1) ?? '', ofPerson),
  };
  const value = decode(pair.slice(at + 1));
  return [textPiece(`${name}=`), showValue(value, value, naming)];
}

function decode(text: string): string {
  try {
    // A line break within a value would look like its end.
    return decodeURIComponent(text.replaceAll('+', ' ')).replaceAll(/[\r\n]/g, ' ');
  } catch {
    return text;
  }
}
