import type { TranslatedEntry } from '@handover/domain';
import type { KeptHeaders } from './headers.ts';
import type { PlatformWebhook, Unreadable } from './platform-webhook.ts';
import { sanitizeEntry } from './sanitize-entry.ts';

/** Parses and translates a body. It depends only on stored data, so it can run again at any time. */
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
    // A sender's body must never stop the service: the delivery is logged, and can be run again after a
    // fix.
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
  // One bad event of a batch must not fail the others. A paid order among them must show as an error, not
  // as ignored.
  return fitted.map((entry) =>
    entry.kind === 'unreadable' ? { kind: 'error', orderId: null, reason: entry.problem } : entry,
  );
}
