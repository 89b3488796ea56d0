import type { InvalidForm, InvalidInput } from '@handover/domain';
import { CommandError } from './run-command.ts';

/** A line for each value that cannot be used, by its option: `--default-currency` for the field `defaultCurrency`. */
export function wrongOption(invalid: InvalidInput | InvalidForm): CommandError {
  const problems = 'problems' in invalid ? invalid.problems : [invalid];
  return new CommandError(problems.map(describe).join('\n'));
}

function describe({ field, problem }: InvalidInput): string {
  const option = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `--${option} ${problem}.`;
}
