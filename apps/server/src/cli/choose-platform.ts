import type { Platforms } from '@handover/domain';
import { type Argument, InvalidArgumentError, type Option } from 'commander';

/** Limits the value to the platforms that this command knows: those of its own PLATFORMS, besides ours. */
export function choosePlatform<Word extends Argument | Option>(word: Word, platforms: Platforms): Word {
  const labels = platforms.list();
  // For the help.
  word.choices(labels);
  word.argParser((given) => {
    if (labels.includes(given)) return given;
    throw new InvalidArgumentError(
      `Allowed choices are ${labels.join(', ')}. Give every command the server’s PLATFORMS.`,
    );
  });
  return word;
}
