import { type Html, html } from '@handover/html';
import { submitButton } from './button.ts';
import { hiddenFields, postForm } from './form.ts';

/** The form that undoes what a toast reports. Its action checks that nothing changed in between. */
export interface Undo {
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
}

export function undoForm({ action, fields = {} }: Undo, csrfToken: string, small = true): Html {
  return postForm({
    action,
    csrfToken,
    body: html`${hiddenFields(Object.entries(fields))}${submitButton({ words: 'Undo', small })}`,
  });
}

/** Toasts come from a cookie, which any client can send: only these actions undo anything. */
export function readUndo(given: unknown): Undo | null {
  if (typeof given !== 'object' || given === null || !('action' in given)) return null;
  const { action } = given;
  if (typeof action !== 'string' || !UNDOING.test(action)) return null;
  const fields = 'fields' in given && typeof given.fields === 'object' && given.fields ? given.fields : {};
  const texts = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { action, fields: Object.fromEntries(texts) };
}

const UNDOING =
  /^\/dashboard\/(products\/[0-9a-f-]{36}\/undo|purchases\/[0-9a-f-]{36}\/(restore|revoke)|overview\/bring-back)$/;
