import { type Html, html } from '@handover/html';

interface ButtonLook {
  /** With hidden words where the visible ones name no object. */
  readonly words: string | Html;
  /** One of the icons. */
  readonly icon?: Html;
  /** A page has at most one primary button; the others are outlined. */
  readonly primary?: boolean;
  readonly small?: boolean;
  readonly danger?: boolean;
  readonly isDisabled?: boolean;
  /** Of a link: its words say so. */
  readonly isInNewTab?: boolean;
}

/** Where a form has several buttons: the field that the pressed one adds. */
interface Pressed {
  readonly name: string;
  readonly value: string;
}

export function linkButton(href: string, look: ButtonLook): Html {
  return html`<a class="btn" href="${href}"${look.isInNewTab && html` target="_blank"`}${variant(look)}>${look.icon}${look.words}</a>`;
}

/** The submit button of the enclosing form. */
export function submitButton(look: ButtonLook, pressed: Pressed | null = null): Html {
  const adds = pressed ? html` name="${pressed.name}" value="${pressed.value}"` : '';
  return html`<button class="btn" type="submit"${adds}${variant(look)}${look.isDisabled && html` disabled`}>${look.icon}${look.words}</button>`;
}

/**
 * A switch that submits its form with the new state: on or off. Its texts are page elements with the ids
 * `<name>-label` and `<name>-help`.
 */
export function switchButton({ name, isOn }: { readonly name: string; readonly isOn: boolean }): Html {
  return html`<button class="switch" type="submit" role="switch" aria-checked="${isOn ? 'true' : 'false'}" aria-labelledby="${name}-label" aria-describedby="${name}-help" name="${name}" value="${isOn ? 'off' : 'on'}"><span aria-hidden="true">${isOn ? 'On' : 'Off'}</span></button>`;
}

/** The button that opens the dialog with that id. */
export function dialogButton(dialogId: string, look: ButtonLook): Html {
  return html`<button class="btn" type="button" command="show-modal" commandfor="${dialogId}"${variant(look)}>${look.icon}${look.words}</button>`;
}

function variant({ primary = false, small = false, danger = false }: ButtonLook): readonly (Html | false)[] {
  return [
    !primary && html` data-variant="outline"`,
    small && html` data-size="sm"`,
    danger && html` data-tone="danger"`,
  ];
}
