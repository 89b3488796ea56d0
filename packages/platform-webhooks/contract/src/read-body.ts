import type { TranslatedEntry } from '@handover/domain';
import type { KeptHeaders } from './headers.ts';
import type { PlatformWebhook, Unreadable } from './platform-webhook.ts';
import { sanitizeEntry } from './sanitize-entry.ts';

/** Parses and translates a body. It depends on nothing that is not stored, so it can be done again at any time. */
export function readBody(
  platform: PlatformWebhook,
  body: Uint8Array,
  headers: KeptHeaders,
): readonly TranslatedEntry[] | Unreadable {
  try {
    const parsed = platform.parse(body, headers);
    if (parsed.kind === 'unreadable') return parsed;
    const translation = platform.translate(parsed.value, headers);
    return 'kind' in translation ? translation : sanitizeEntries(translation);
  } catch (cause) {
    // Nothing that a sender writes may stop the service: the delivery is logged and can be run again once mended.
    return {
      kind: 'unreadable',
      problem: 'The body has a shape that this platform is not known to send.',
      cause,
    };
  }
}

function sanitizeEntries(entries: readonly TranslatedEntry[]): readonly TranslatedEntry[] | Unreadable {
  const fitted = entries.map(sanitizeEntry);
  const [first] = fitted;
  if (fitted.length === 1 && first?.kind === 'unreadable') return first;
  // In a batch, one bad event must not fail the others; but what was paid for must show as an error, not as none of ours.
  return fitted.map((entry) =>
    entry.kind === 'unreadable' ? { kind: 'error', orderId: null, reason: entry.problem } : entry,
  );
}
