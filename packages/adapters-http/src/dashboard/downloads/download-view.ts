import type { DownloadState } from '@handover/domain';

/** The filter of the list of downloads, part of its address. */
export interface DownloadView {
  readonly text: string;
  readonly state: DownloadState | null;
  /** Shows downloads older than this one. */
  readonly before: string | null;
}

export const EVERYTHING: DownloadView = { text: '', state: null, before: null };

/** The names of the states, in the order of the filter. */
export const STATES = [
  { value: 'running', words: 'Downloading' },
  { value: 'interrupted', words: 'Interrupted' },
  { value: 'sent', words: 'Sent whole' },
  { value: 'completed', words: 'Completed' },
  { value: 'started', words: 'Started' },
] as const satisfies readonly { readonly value: DownloadState; readonly words: string }[];

export function readView(query: URLSearchParams): DownloadView {
  const state = STATES.find(({ value }) => value === query.get('state'));
  return { text: query.get('q') ?? '', state: state?.value ?? null, before: query.get('before') || null };
}

export function addressOf(view: DownloadView): string {
  const query = new URLSearchParams(fieldsOf(view));
  return query.size === 0 ? '/dashboard/downloads' : `/dashboard/downloads?${query}`;
}

/** Hidden fields for a form that keeps the view. */
export function fieldsOf({ text, state, before }: DownloadView): [string, string][] {
  return Object.entries({
    ...(text.trim() && { q: text }),
    ...(state && { state }),
    ...(before && { before }),
  });
}

export function wordsOf(state: DownloadState): string {
  return STATES.find(({ value }) => value === state)?.words ?? '';
}
