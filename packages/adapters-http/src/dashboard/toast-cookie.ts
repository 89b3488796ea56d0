import type { FastifyReply, FastifyRequest } from 'fastify';
import { createSiteCookie } from '../auth/cookies.ts';
import { readUndo, type Toast } from './parts/toast.ts';

/** The toast for the next page. */
export interface ToastCookie {
  read(request: FastifyRequest): Toast | null;
  set(reply: FastifyReply, toast: Toast): void;
  clear(reply: FastifyReply): void;
}

const MAX_AGE_S = 60;
/** Browsers drop larger cookies without a word. Its name and its attributes count, too, and are shorter than 128 bytes. */
const MAX_COOKIE_BYTES = 4096 - 128;
/** Base64 makes four characters of three bytes. */
const MAX_TOAST_BYTES = Math.floor((MAX_COOKIE_BYTES * 3) / 4);

export function createToastCookie(siteUrl: string): ToastCookie {
  const cookie = createSiteCookie(siteUrl, 'handover-toast', MAX_AGE_S);
  return {
    read: (request) => parseToast(cookie.read(request)),
    set: (reply, toast) =>
      cookie.set(reply, Buffer.from(JSON.stringify(limitToast(toast))).toString('base64url')),
    clear: cookie.clear,
  };
}

/**
 * Cuts the sentence of a toast that is too long for a cookie, such as one that names several products. An Undo is kept whole,
 * or dropped if it leaves no room for any sentence.
 */
export function limitToast(toast: Toast): Toast {
  const { sentence, undo } = toast;
  const title = cut(toast.title, MAX_TOAST_BYTES / 2);
  const hasRoom = undo && sizeOf({ title, sentence: ELLIPSIS, undo }) <= MAX_TOAST_BYTES;
  const kept = { title, ...(hasRoom && { undo }) };
  const room = MAX_TOAST_BYTES - sizeOf({ ...kept, sentence: '' });
  return { ...kept, ...(sentence && { sentence: cut(sentence, room) }) };
}

const ELLIPSIS = '…';
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Between two characters as a reader sees them. `bytes`: of the text in JSON. */
function cut(text: string, bytes: number): string {
  if (sizeOfText(text) <= bytes) return text;
  let whole = '';
  let room = bytes - sizeOfText(ELLIPSIS);
  for (const { segment } of GRAPHEMES.segment(text)) {
    room -= sizeOfText(segment);
    if (room < 0) break;
    whole += segment;
  }
  return `${whole.trimEnd()}${ELLIPSIS}`;
}

/** Without its quotation marks. */
function sizeOfText(text: string): number {
  return sizeOf(text) - 2;
}

function sizeOf(value: Toast | string): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Any client can send a cookie, so its content is treated as plain text. */
function parseToast(value: string | null): Toast | null {
  if (value === null) return null;
  try {
    const { title, sentence, undo } = JSON.parse(Buffer.from(value, 'base64url').toString());
    if (typeof title !== 'string') return null;
    const read = readUndo(undo);
    return { title, ...(typeof sentence === 'string' && { sentence }), ...(read && { undo: read }) };
  } catch {
    return null;
  }
}
