import { type Html, html } from '@handover/html';

// Line icons on a grid of 24, in the colour of the adjacent text. Always decoration: the text says the
// same.

export const clockIcon = icon(html`<circle cx="12" cy="12" r="9.25"/><path d="M12 6.75V12l3.25 2"/>`);
export const downloadIcon = icon(
  html`<path d="M12 3.5v11.25M7.25 10.25 12 15l4.75-4.75M3.75 15v3.5a2 2 0 0 0 2 2h12.5a2 2 0 0 0 2-2V15"/>`,
);
export const mailIcon = icon(
  html`<rect x="2.75" y="4.75" width="18.5" height="14.5" rx="2.25"/><path d="m3.25 7.25 8.75 6 8.75-6"/>`,
);
export const mailSentIcon = icon(
  html`<path d="M21.25 11.5V7a2.25 2.25 0 0 0-2.25-2.25H5A2.25 2.25 0 0 0 2.75 7v10A2.25 2.25 0 0 0 5 19.25h7M3.25 7.25l8.75 6 8.75-6M15.5 18l2.25 2.25 4-4.25"/>`,
);
export const checkIcon = icon(html`<circle cx="12" cy="12" r="9.25"/><path d="m8 12.25 2.75 2.75L16 9.5"/>`);
export const warnIcon = icon(html`<circle cx="12" cy="12" r="9.25"/><path d="M12 7.5v5m0 3.4v.1"/>`);
export const chevronIcon = icon(html`<path d="m6.5 9.5 5.5 5.5 5.5-5.5"/>`);
export const barredIcon = icon(html`<circle cx="12" cy="12" r="9.25"/><path d="m5.5 5.5 13 13"/>`);
export const signpostIcon = icon(html`<path d="M12 13v8.25M12 2.75v2M5 4.75h11.5l3.25 4.125L16.5 13H5z"/>`);
export const boltIcon = icon(html`<path d="M12 3.25 22 20.5H2z"/><path d="M12 9.75v4.75m0 2.9v.1"/>`);
export const plusIcon = icon(html`<path d="M12 5v14M5 12h14"/>`);
export const boxIcon = icon(
  html`<path d="M3.5 8 12 3.25 20.5 8v8.5L12 21.25 3.5 16.5zM3.75 8 12 12.5 20.25 8M12 12.5v8.5"/>`,
);

/** Shapes on a grid of 24, as an icon. */
export function icon(shapes: Html): Html {
  return html`<svg class="icon" width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${shapes}</svg>`;
}
