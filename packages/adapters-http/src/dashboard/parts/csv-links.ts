import { type Html, html } from '@handover/html';
import { withSemicolons } from '../csv-answer.ts';

/** Below a list: its table, and the same with semicolons, for spreadsheets that expect them. */
export function csvLinks(
  address: string,
  { expectsSemicolons }: { readonly expectsSemicolons: boolean },
): Html {
  return html`<a class="link" href="${address}" download>Download these as CSV</a>${expectsSemicolons && html` · <a class="link" href="${withSemicolons(address)}" download>with semicolons</a>`}`;
}
