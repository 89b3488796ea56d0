import { html } from 'ghtml';

interface ButtonLook {
  readonly words: string;
  /** One of the icons. */
  readonly icon?: string;
  /** A page has one primary button at most; the others are outlined. */
  readonly primary?: boolean;
  readonly small?: boolean;
  readonly danger?: boolean;
}

/** Where a form has several buttons: what the pressed one adds to it. */
interface Pressed {
  readonly name: string;
  readonly value: string;
}

export function linkButton(href: string, look: ButtonLook): string {
  return html`<a class="btn" href="${href}"!${variant(look)}>!${look.icon ?? ''}${look.words}</a>`;
}

/** The button that sends the form it stands in. */
export function submitButton(look: ButtonLook, pressed: Pressed | null = null): string {
  const adds = pressed ? html` name="${pressed.name}" value="${pressed.value}"` : '';
  return html`<button class="btn" type="submit"!${adds}!${variant(look)}>!${look.icon ?? ''}${look.words}</button>`;
}

/** The button that opens the dialog of that id. */
export function dialogButton(dialogId: string, look: ButtonLook): string {
  return html`<button class="btn" type="button" command="show-modal" commandfor="${dialogId}"!${variant(look)}>!${look.icon ?? ''}${look.words}</button>`;
}

function variant({ primary = false, small = false, danger = false }: ButtonLook): string {
  return [
    primary ? '' : ' data-variant="outline"',
    small ? ' data-size="sm"' : '',
    danger ? ' data-tone="danger"' : '',
  ].join('');
}
