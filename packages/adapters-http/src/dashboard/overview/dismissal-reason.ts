import { MAX_DISMISSAL_REASON } from '@handover/domain';

/** Reads why something needs nothing. `problem`: what is wrong with it, in a sentence. */
export function dismissalReason(typed: string | null): {
  readonly reason: string;
  readonly problem: string | null;
} {
  const reason = (typed ?? '').trim();
  if (reason === '') return { reason, problem: 'It must not be empty.' };
  const isLong = reason.length > MAX_DISMISSAL_REASON;
  return { reason, problem: isLong ? `It must have at most ${MAX_DISMISSAL_REASON} characters.` : null };
}
