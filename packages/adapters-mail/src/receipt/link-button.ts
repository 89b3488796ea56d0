import { html } from 'ghtml';

/** The one button of a mail. */
export function linkButton(url: string, label: string): string {
  return html`<table class="wide" role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
      <td bgcolor="#1e212a" style="border-radius:10px;background-color:#1e212a">
        <a class="wide" href="${url}" style="display:inline-block;padding:11px 22px;border-radius:10px;font-size:15px;line-height:22px;font-weight:600;color:#fcfcfc;text-decoration:none">${label}</a>
      </td></tr></table>`;
}
