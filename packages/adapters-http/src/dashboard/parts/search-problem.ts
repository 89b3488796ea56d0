import { html } from '@handover/html';
import { alertIcon } from './icons.ts';

/**
 * For a form that searches while one types: dashboard.js shows this when no answer comes, and leaves what was found and
 * what was typed as they are.
 */
export const searchProblem = html`<p class="search-problem" role="alert" data-search-problem hidden>${alertIcon}<span>No answer. Your text is kept; press Enter to search again.</span></p>`;
