import type { DeliveryBody } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { formatSize } from '../../pages/words.ts';
import { yieldTurn } from '../../system-timer.ts';
import { isForm, layOutForm } from './payload/lay-out-form.ts';
import { layOutJson } from './payload/lay-out-json.ts';
import { layOutText } from './payload/lay-out-text.ts';
import { type Piece, textPiece } from './payload/redact-personal-data.ts';

/** More text than anyone reads on a page. */
const MAX_PAGE = 32_000;
/** Only a constructed body of the maximum size becomes this large when formatted. */
const MAX_FILE = 16_000_000;
/** How much of a file is formatted before the loop yields. */
const [MAX_CHUNK, MAX_CHUNK_PIECES] = [32_000, 1000];

/** Whether a body is shown with the names, addresses and other data of people in it. */
export type PersonalData = 'shown' | 'hidden';

interface ShownPayload {
  readonly body: DeliveryBody | null;
  readonly personalData: PersonalData;
  /** The address of this entry with personal data hidden, or shown. */
  readonly otherwise: string;
  readonly download: string;
}

/** The received body without its secrets; personal data is hidden at first. */
export function payloadSection({ body, personalData, otherwise, download }: ShownPayload): Html {
  if (!body) {
    return html`<section class="log-section" aria-labelledby="payload"><h3 id="payload">Payload</h3><p class="muted small">Removed: bodies are kept only for a time, or until their buyer is erased. The order’s result stays.</p></section>`;
  }
  const { pieces, isCut } = beginningOf(body.bytes);
  const size = formatSize(body.bytes.length);
  return html`<section class="log-section" aria-labelledby="payload"><div class="log-section-head"><h3 id="payload">Payload</h3><span class="muted small">${size}, signature verified</span><span class="log-links"><a class="link small" href="${otherwise}">${personalData === 'shown' ? 'Hide personal data' : 'Show personal data'}</a><a class="link small" href="${download}">Download</a></span></div>
<pre class="payload" tabindex="0" aria-label="Payload"><code>${pieces.map((piece) => pieceInHtml(piece, personalData))}</code></pre>
${isCut ? html`<p class="muted small">Cut here: this is the beginning of ${size}. Download it to see more.</p>` : ''}
${headerList(body.headers)}</section>`;
}

/**
 * The whole body as the page shows it. A result much larger than the body is truncated, and its last line
 * says so.
 */
export async function* payloadFile(
  { bytes }: DeliveryBody,
  personalData: PersonalData,
): AsyncGenerator<string> {
  let [chunk, pieces, size] = ['', 0, 0];
  // Reading a large body has taken long, and so does each step from here on.
  await yieldTurn();
  const text = new TextDecoder().decode(bytes);
  await yieldTurn();
  for (const piece of layOutBody(text, false)) {
    chunk += piece.kind === 'text' || personalData === 'shown' ? piece.text : '[hidden]';
    pieces += 1;
    if (chunk.length < MAX_CHUNK && pieces < MAX_CHUNK_PIECES) continue;
    size += chunk.length;
    yield chunk;
    [chunk, pieces] = ['', 0];
    if (size >= MAX_FILE) {
      yield `\n\n[Cut here, after ${formatSize(MAX_FILE)}. The body has ${formatSize(bytes.length)}; laid out, it is longer.]\n`;
      return;
    }
    await yieldTurn();
  }
  yield chunk;
}

/** The first pieces of a body, with adjacent texts joined. Only this much of it is read. */
function beginningOf(bytes: Uint8Array): { readonly pieces: readonly Piece[]; readonly isCut: boolean } {
  const isLong = bytes.length > MAX_PAGE;
  // Drops a character that the cut splits.
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_PAGE), { stream: isLong });
  const pieces: Piece[] = [];
  let [together, size] = ['', 0];
  for (const piece of layOutBody(text, isLong)) {
    size += piece.text.length;
    if (piece.kind === 'text') together += piece.text;
    else {
      pieces.push(textPiece(together), piece);
      together = '';
    }
    if (size >= MAX_PAGE) return { pieces: [...pieces, textPiece(together)], isCut: true };
  }
  return { pieces: [...pieces, textPiece(together)], isCut: isLong };
}

function pieceInHtml({ kind, text }: Piece, personalData: PersonalData): Html {
  return kind === 'text' || personalData === 'shown'
    ? html`${text}`
    : html`<span class="hidden-value">hidden</span>`;
}

function headerList(headers: DeliveryBody['headers']): Html | null {
  const kept = Object.entries(headers);
  if (kept.length === 0) return null;
  return html`<details class="log-headers"><summary class="small">${kept.length === 1 ? '1 header is kept' : `${kept.length} headers are kept`}</summary><dl class="name-values">${kept.map(([name, value]) => html`<dt class="mono">${name}</dt><dd class="mono">${value}</dd>`)}</dl></details>`;
}

/**
 * Formats a stored body for display: without its secrets, and with personal data marked, piece by piece.
 * The time is linear in the text's length for any input, and the caller may stop after any piece. `isCut`:
 * the body continues after this text.
 */
export function layOutBody(text: string, isCut: boolean): Generator<Piece> {
  const trimmed = text.trim();
  if (/^[{[]/.test(trimmed)) return layOutJson(trimmed, isCut);
  return isForm(trimmed) ? layOutForm(trimmed, isCut) : layOutText(text, isCut);
}
