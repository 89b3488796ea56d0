import type { Platform, Platforms } from '@handover/domain';
import { type Argument, InvalidArgumentError, type Option } from 'commander';

/**
 * Limits the value to the platforms that this command knows: those of its own PLATFORMS, besides ours. Each is known by its
 * label, and by the name of its vendor, which is all that a newcomer knows of it: `shopify`, `fastspring-classic`.
 */
export function choosePlatform<Word extends Argument | Option>(word: Word, platforms: Platforms): Word {
  const labels = platforms.list();
  const named = labels.map((label) => `${label} (${vendorsOf(platforms, label).join(', ')})`).join(', ');
  word.description = `${word.description}: ${named}`;
  word.argParser((given) => {
    const found = findPlatform(platforms, given);
    if (found !== null) return found;
    throw new InvalidArgumentError(
      `Choose one of ${named}. For a platform of your own, give every command the server’s PLATFORMS.`,
    );
  });
  return word;
}

function findPlatform(platforms: Platforms, given: string): Platform | null {
  const labels = platforms.list();
  const isVendor = (label: Platform) =>
    vendorsOf(platforms, label).some((vendor) => toWord(vendor) === toWord(given));
  return labels.find((label) => label === given) ?? labels.find(isVendor) ?? null;
}

function vendorsOf(platforms: Platforms, label: Platform): readonly string[] {
  return [platforms.vendorOf(label), ...platforms.otherVendorsOf(label)];
}

function toWord(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
