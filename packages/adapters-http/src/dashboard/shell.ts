import type { SignedIn } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { PAGE_ASSETS } from '../pages/assets.ts';
import { firstLetter, htmlDocument } from '../pages/layout.ts';
import { DASHBOARD_ASSETS } from './assets.ts';
import type { NavigationEntry } from './navigation.ts';
import { postForm } from './parts/form.ts';
import { keyboardIcon, menuIcon, signOutIcon, themeIcon } from './parts/icons.ts';
import { searchBarLink, searchDialog, searchLink } from './parts/search-everywhere.ts';
import { type Toast, toaster } from './parts/toast.ts';
import { ROLE_TITLES } from './settings/team-words.ts';

export interface Shell {
  readonly user: SignedIn;
  /** The pages that this user may open. */
  readonly navigation: readonly NavigationEntry[];
  /** Relative to /dashboard. */
  readonly currentPath: string;
  readonly csrfToken: string;
  /** The number of items that wait for an action, by the page's path. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly toast: Toast | null;
}

/** A page within the frame: a sidebar, or on phones a bar with a menu that needs no script. */
export function shellPage(
  shell: Shell,
  {
    title,
    windowTitle = title,
    main,
  }: { readonly title: string; readonly windowTitle?: string; readonly main: Html },
): Html {
  const body = html`<a class="skip" href="#main">Skip to the content</a>
<div class="frame">
<header class="bar"><details><summary>${menuIcon}<span class="visually-hidden">Menu,</span><span>${title}</span></summary><div class="bar-menu">${sidebar(shell)}</div></details>${isMember(shell) ? searchBarLink : ''}</header>
<header class="side">${sidebar(shell)}</header>
<main class="content" id="main" tabindex="-1" hx-history-elt>
${main}
</main>
</div>
<p class="visually-hidden" role="status" id="news"></p>
${isMember(shell) && shell.currentPath !== '/search' ? searchDialog : ''}${shortcutsDialog}${toaster(shell.toast, shell.csrfToken)}`;
  return document(windowTitle, body, shell.csrfToken);
}

/** A centred page without the frame. */
export function alonePage({ title, main }: { readonly title: string; readonly main: Html }): Html {
  const body = html`<main class="alone" id="main">
<div class="alone-brand"><img src="${PAGE_ASSETS.mark.path}" alt="" width="26" height="26">Handover</div>
${main}
</main>`;
  return document(title, body, null);
}

const { htmx, basecoat, basecoatToast, dashboard } = DASHBOARD_ASSETS;
const SCRIPTS = [htmx, basecoat, basecoatToast, dashboard];

function document(title: string, body: Html, csrfToken: string | null): Html {
  // A poll neither closes nor opens a `<details>` or a menu, which is up to the user, nor frees a form that is on its way.
  const morphIgnore = ['data-htmx-powered', 'open', 'data-sent', 'aria-busy'];
  const config = { includeIndicatorCSS: false, morphIgnore };
  // A script after the stylesheet waits for it, and the body behind the script with it.
  const head = html`<meta name="htmx-config" content="${JSON.stringify(config)}">
${csrfToken === null ? '' : html`<meta name="form-token" content="${csrfToken}">`}
<script src="${DASHBOARD_ASSETS.theme.path}"></script><link rel="stylesheet" href="${DASHBOARD_ASSETS.stylesheet.path}">
${SCRIPTS.map(({ path }) => html`<script src="${path}" defer></script>`)}`;
  return htmlDocument({ locale: 'en-GB', title: `${title} · Handover`, head, body });
}

function sidebar(shell: Shell): Html {
  const { user, navigation } = shell;
  const inGroup = (group: NavigationEntry['group']) => navigation.filter((entry) => entry.group === group);
  const settings = inGroup('settings');
  return html`<div class="shop"><img src="${PAGE_ASSETS.mark.path}" alt="" width="26" height="26"><span><bdi>${user.membership?.organisationName ?? 'Handover'}</bdi></span></div>
${isMember(shell) ? searchLink : ''}<nav class="nav" aria-label="Pages">${entryList(inGroup('main'), shell)}${settings.length > 0 ? html`<p aria-hidden="true">Settings</p>${entryList(settings, shell, 'Settings')}` : ''}</nav>
${who(shell)}`;
}

/** There is something to search only within an organisation. */
function isMember({ user }: Shell): boolean {
  return user.membership !== null;
}

function entryList(
  entries: readonly NavigationEntry[],
  { currentPath, counts = {} }: Shell,
  label: string | null = null,
): Html {
  return html`<ul ${label && html`aria-label="${label}"`}>${entries.map(({ path, words, icon }) => {
    const isCurrent = currentPath === path || currentPath.startsWith(`${path}/`);
    return html`<li><a href="/dashboard${path}" ${isCurrent ? html`aria-current="page"` : ''}>${icon}<span>${words}</span>${waiting(counts[path] ?? 0)}</a></li>`;
  })}</ul>`;
}

function waiting(count: number): Html | null {
  if (count === 0) return null;
  return html`<span class="count">${count}<span class="visually-hidden"> waiting</span></span>`;
}

function who({ user, csrfToken }: Shell): Html {
  const name = user.name ?? user.email;
  const signOut = (action: string, words: string) =>
    postForm({ action, csrfToken, body: html`<button type="submit">${signOutIcon}${words}</button>` });
  return html`<div class="who"><details class="menu"><summary><span class="visually-hidden">Your account, </span><span class="initials" aria-hidden="true">${initialsOf(name)}</span><span class="who-words"><span class="who-name"><bdi>${name}</bdi></span><span class="who-role">${formatRole(user)}</span></span></summary>
<div class="menu-list">${shortcutsButton}${signOut('/dashboard/sign-out', 'Sign out')}${signOut('/dashboard/sign-out-everywhere', 'Sign out everywhere')}</div></details>
<button class="btn" data-variant="ghost" data-icon type="button" data-switch-theme>${themeIcon}<span class="visually-hidden">Switch between light and dark</span></button></div>`;
}

function formatRole({ membership }: SignedIn): string {
  return membership ? ROLE_TITLES[membership.role] : 'No organisation';
}

/** The initials of the first and the last word, as graphemes. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return chosen.map((word) => firstLetter(word ?? '')).join('');
}

const ID = 'shortcuts';

/** In the user's menu. Hidden without a script, which the shortcuts need. */
export const shortcutsButton: Html = html`<button type="button" command="show-modal" commandfor="${ID}" data-shortcuts>${keyboardIcon}Keyboard shortcuts</button>`;

/** Lists the shortcuts, and turns them off for people whose programs type for them. */
export const shortcutsDialog: Html = html`<dialog class="dialog" id="${ID}" aria-labelledby="${ID}-title"><div>
<h2 id="${ID}-title">Keyboard shortcuts</h2>
<dl class="keys">
<dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>Next and previous entry of a list</dd>
<dt><kbd>Enter</kbd></dt><dd>Open the entry</dd>
<dt><kbd>x</kbd></dt><dd>Select the entry</dd>
<dt><kbd>Esc</kbd></dt><dd>Back to its row, from an open entry of the log</dd>
<dt><kbd>/</kbd></dt><dd>Search this list, or everything on a page without one</dd>
<dt><kbd>Ctrl</kbd> or <kbd>⌘</kbd> <kbd>K</kbd></dt><dd>Search everywhere</dd>
<dt><kbd>?</kbd></dt><dd>These shortcuts</dd>
</dl>
<footer role="none"><label class="small"><input type="checkbox" checked> Use shortcuts in this browser</label><button class="btn" data-variant="outline" type="button" command="close" commandfor="${ID}">Close</button></footer>
</div></dialog>`;
