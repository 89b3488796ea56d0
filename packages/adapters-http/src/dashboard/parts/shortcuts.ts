import { type Html, html } from '@handover/html';
import { keyboardIcon } from './icons.ts';

const ID = 'shortcuts';

/** In the user's menu. Hidden without a script, which the shortcuts need. */
export const shortcutsButton: Html = html`<button type="button" command="show-modal" commandfor="${ID}" data-shortcuts>${keyboardIcon}Keyboard shortcuts</button>`;

/** Lists the shortcuts, and turns them off for people whose programs type for them. */
export const shortcutsDialog: Html = html`<dialog class="dialog" id="${ID}" aria-labelledby="${ID}-title"><div>
<h2 id="${ID}-title">Keyboard shortcuts</h2>
<p><kbd>j</kbd> and <kbd>k</kbd>: the next and the previous entry of a list. <kbd>Enter</kbd> opens it, <kbd>x</kbd> selects it.</p>
<p><kbd>Ctrl</kbd> or <kbd>⌘</kbd> with <kbd>K</kbd>: search everywhere. <kbd>/</kbd>: search this list, or everywhere on a page without a list.</p>
<p><kbd>?</kbd>: this help.</p>
<footer role="none"><label class="small"><input type="checkbox" checked> Use shortcuts in this browser</label><button class="btn" data-variant="outline" type="button" command="close" commandfor="${ID}">Close</button></footer>
</div></dialog>`;
