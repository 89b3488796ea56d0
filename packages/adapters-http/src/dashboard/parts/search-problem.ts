import { html } from '@handover/html';
import { alertIcon } from './icons.ts';

/**
 * For a form that searches while one types: dashboard.js shows this when a request fails, and keeps the
 * previous result and the typed text.
 */
export const searchProblem = html`<p class="search-problem" role="alert" data-search-problem hidden>${alertIcon}<span>No answer. Your text is kept; press Enter to search again.</span></p>`;
