import { formatsOf } from '@handover/domain';

/** A file size, as buyers read it too: 3.1 GB, 412 MB, 1 byte. */
export function formatSize(bytes: number): string {
  return formatsOf('en').size(bytes);
}

/** 48 hours, 1 hour, 20 minutes. */
export function formatDuration(milliseconds: number): string {
  return formatsOf('en').duration(milliseconds);
}

/** `14:02 UTC`. */
export function formatClockTime(time: Date): string {
  return `${time.toISOString().slice(11, 16)} UTC`;
}

/** `2026-03-31`, in UTC. */
export function isoDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function capitalise(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "a, b and c". */
export function joinWithAnd(words: readonly string[]): string {
  return ALL_OF.format(words);
}

/** "a, b or c". */
export function joinWithOr(words: readonly string[]): string {
  return ONE_OF.format(words);
}

const ALL_OF = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const ONE_OF = new Intl.ListFormat('en-GB', { type: 'disjunction' });
