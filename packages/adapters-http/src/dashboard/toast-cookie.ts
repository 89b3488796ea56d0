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

export function createToastCookie(siteUrl: string): ToastCookie {
  const cookie = createSiteCookie(siteUrl, 'handover-toast', MAX_AGE_S);
  return {
    read: (request) => parseToast(cookie.read(request)),
    set: (reply, toast) => cookie.set(reply, Buffer.from(JSON.stringify(toast)).toString('base64url')),
    clear: cookie.clear,
  };
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
