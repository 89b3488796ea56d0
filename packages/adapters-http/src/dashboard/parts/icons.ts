import { html } from '@handover/html';
import { barredIcon, clockIcon, icon } from '../../pages/icons.ts';

// Line icons on a grid of 24, in the colour of the adjacent text. Always decoration: the text says the
// same.

export const overviewIcon = icon(
  html`<rect x="3.5" y="3.5" width="7" height="9" rx="1.5"/><rect x="13.5" y="3.5" width="7" height="5" rx="1.5"/><rect x="13.5" y="11.5" width="7" height="9" rx="1.5"/><rect x="3.5" y="15.5" width="7" height="5" rx="1.5"/>`,
);
export const purchaseIcon = icon(
  html`<path d="M5 3h14v18l-2.33-1.5L14.33 21 12 19.5 9.67 21l-2.34-1.5L5 21zM14.5 8.75c-.4-.6-1.3-1-2.5-1-1.5 0-2.5.6-2.5 1.75 0 2.6 5 1.2 5 3.75 0 1.15-1 1.75-2.5 1.75-1.2 0-2.1-.4-2.5-1M12 6.5v9.75"/>`,
);
export const webhookIcon = icon(
  html`<path d="M8.6 16.5H15a3 3 0 1 1 2.6 4.5 3 3 0 0 1-2.3-1.1M8.4 9a3.9 3.9 0 1 1 6.9-2.4M12 6.6l3.3 6a3.9 3.9 0 0 1 4.2 1.2M6.2 13.2a3.9 3.9 0 1 0 2.5 5.6l.2-.5M12 6.6l-3.4 6.2-1.9 3.4"/>`,
);
export const reportIcon = icon(
  html`<path d="M3.5 3.5v15a2 2 0 0 0 2 2h15M8.5 16.5v-4M13 16.5V7M17.5 16.5v-7"/>`,
);
export const plugIcon = icon(
  html`<path d="M9 2.75v5M15 2.75v5M6.5 7.75h11v3.5a5.5 5.5 0 0 1-11 0zM12 16.75v4.5"/>`,
);
export const teamIcon = icon(
  html`<circle cx="9" cy="7.5" r="4"/><path d="M2.5 20.5v-1.25a4 4 0 0 1 4-4h5a4 4 0 0 1 4 4v1.25M16 3.65a4 4 0 0 1 0 7.7M21.5 20.5v-1.25a4 4 0 0 0-3-3.85"/>`,
);
export const organisationIcon = icon(
  html`<path d="M6.5 20.75V4.5a1.5 1.5 0 0 1 1.5-1.5h8a1.5 1.5 0 0 1 1.5 1.5v16.25M6.5 11H4.25a1.5 1.5 0 0 0-1.5 1.5v8.25h18.5V9.5A1.5 1.5 0 0 0 19.75 8H17.5M10 7h4M10 11h4M10 15h4"/>`,
);
export const keyboardIcon = icon(
  html`<rect x="2.5" y="6" width="19" height="12.5" rx="2"/><path d="M6.5 10h.01M10.2 10h.01M13.8 10h.01M17.5 10h.01M8 14.5h8"/>`,
);
export const keyIcon = icon(
  html`<circle cx="7.75" cy="15.75" r="4.75"/><path d="m11.25 12.25 8.5-8.5 1.5 1.5v3.25h-3v3h-3l-1.75 1.75"/><path d="M7.25 16.25h.01"/>`,
);
export const historyIcon = icon(html`<path d="M3.25 4.25v5h5M3.6 9.25A9 9 0 1 1 3 12M12 7.25V12l3.25 2"/>`);
export const pendingIcon = clockIcon;
export const checkIcon = icon(html`<circle cx="12" cy="12" r="9.25"/><path d="m8.25 12.25 2.5 2.5 5-5.25"/>`);
export const crossIcon = icon(
  html`<path d="M8.2 2.75h7.6l5.45 5.45v7.6l-5.45 5.45H8.2L2.75 15.8V8.2zM9.25 9.25l5.5 5.5M14.75 9.25l-5.5 5.5"/>`,
);
export const pauseIcon = icon(html`<circle cx="12" cy="12" r="9.25"/><path d="M10 9v6M14 9v6"/>`);
export const slashIcon = icon(html`<circle cx="12" cy="12" r="9.25"/><path d="m9 15 6-6"/>`);
export const tagIcon = icon(
  html`<path d="M12.6 3.25H4.25a1 1 0 0 0-1 1v8.35a2 2 0 0 0 .6 1.4l6.85 6.85a2 2 0 0 0 2.83 0l7.32-7.32a2 2 0 0 0 0-2.83L14 3.85a2 2 0 0 0-1.4-.6z"/><path d="M8 8h.01"/>`,
);
export const flaskIcon = icon(
  html`<path d="M9.5 3.25h5M10.5 3.25v6L4.9 18.4a1.6 1.6 0 0 0 1.4 2.35h11.4a1.6 1.6 0 0 0 1.4-2.35L13.5 9.25v-6M8 14.25h8"/>`,
);
export const pencilIcon = icon(
  html`<path d="M13 20.25h7.25M16 4.25a2.1 2.1 0 0 1 3 0l.75.75a2.1 2.1 0 0 1 0 3L8 19.75l-4.25 1 1-4.25z"/>`,
);
export const archiveIcon = icon(
  html`<rect x="2.75" y="3.75" width="18.5" height="5" rx="1"/><path d="M4.5 8.75v10a1.5 1.5 0 0 0 1.5 1.5h12a1.5 1.5 0 0 0 1.5-1.5v-10M10 12.75h4"/>`,
);
export const linkIcon = icon(
  html`<path d="M10 13.25a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.75 1.7M14 10.75a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.7-1.7"/>`,
);
export const refundIcon = icon(html`<path d="M8 5 4 9l4 4M4.5 9H15a5 5 0 0 1 0 10h-4"/>`);
export const flagIcon = icon(
  html`<path d="M4.75 21V4.25s1-1 4-1 5 2 7.5 2 3-.75 3-.75v10s-.75.75-3 .75-4.5-2-7.5-2-4 1-4 1"/>`,
);
export const expiredIcon = icon(
  html`<path d="M20.9 9.7a9.25 9.25 0 1 0-4.3 10.3M12 6.75V12l2.25 1.5M20.5 13.5v3.5M20.5 20.25v.01"/>`,
);
export const barIcon = barredIcon;
export const quietIcon = icon(html`<path d="M20.75 13.5A9 9 0 1 1 10.5 3.25a7 7 0 0 0 10.25 10.25z"/>`);
export const filterIcon = icon(html`<path d="M4 7h16M7 12h10M10 17h4"/>`);
export const backIcon = icon(html`<path d="m14.5 6-6 6 6 6"/>`);
export const menuIcon = icon(html`<path d="M4 6.5h16M4 12h16M4 17.5h16"/>`);
export const searchIcon = icon(html`<circle cx="11" cy="11" r="7.25"/><path d="m20.25 20.25-4-4"/>`);
export const noMatchIcon = icon(
  html`<circle cx="11" cy="11" r="7.25"/><path d="m20.25 20.25-4-4M9 9l4 4M13 9l-4 4"/>`,
);
export const copyIcon = icon(
  html`<rect x="8.5" y="8.5" width="12" height="12" rx="2"/><path d="M15.5 8.5v-3a2 2 0 0 0-2-2h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h3"/>`,
);
export const moreIcon = icon(html`<path d="M5.5 12h.01M12 12h.01M18.5 12h.01" stroke-width="2.75"/>`);
export const themeIcon = icon(
  html`<path d="M12 8.5a6 6 0 1 0 6.5 8.5 5 5 0 0 1-6.5-8.5zM13.5 3v.5M18 5.25l.4-.4M20.5 9.5h.5M19 12.5a3.5 3.5 0 0 0-5-5"/>`,
);
export const signOutIcon = icon(
  html`<path d="M9.5 20.5h-4a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2h4M15.5 16.5 20 12l-4.5-4.5M20 12H9.5"/>`,
);
export const signInIcon = icon(
  html`<path d="M14.5 4.5h3a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-3M9.5 16l4-4-4-4M13.25 12H3.75"/>`,
);
export const lockIcon = icon(
  html`<rect x="4.75" y="10.75" width="14.5" height="9.5" rx="2"/><path d="M8 10.5V7.75a4 4 0 0 1 8 0v2.75"/>`,
);
export const databaseIcon = icon(
  html`<ellipse cx="12" cy="5.5" rx="8.25" ry="2.75"/><path d="M3.75 5.5v13c0 1.52 3.69 2.75 8.25 2.75s8.25-1.23 8.25-2.75v-13M3.75 12c0 1.52 3.69 2.75 8.25 2.75s8.25-1.23 8.25-2.75"/>`,
);
export const refreshIcon = icon(html`<path d="M20.75 4.25v5h-5M20.3 9.25A9 9 0 1 0 21 12"/>`);
export const alertIcon = icon(html`<circle cx="12" cy="12" r="9.25"/><path d="M12 7.5v5M12 16.25v.01"/>`);
export const uploadIcon = icon(
  html`<path d="M12 15V4M7.5 8.25 12 3.75l4.5 4.5M3.75 14.5v4a2 2 0 0 0 2 2h12.5a2 2 0 0 0 2-2v-4"/>`,
);
export const downloadIcon = icon(
  html`<path d="M12 3.75V15M7.5 10.75 12 15.25l4.5-4.5M3.75 15.5v3a2 2 0 0 0 2 2h12.5a2 2 0 0 0 2-2v-3"/>`,
);
export const receivedIcon = icon(html`<path d="M12 4v12M7.5 11.75 12 16.25l4.5-4.5M5 20.25h14"/>`);
export const verifiedIcon = icon(
  html`<path d="M12 21.25c-5-1.5-7.5-4.5-7.5-8.75V5.75L12 2.75l7.5 3v6.75c0 4.25-2.5 7.25-7.5 8.75zM8.75 12l2.25 2.25 4.25-4.25"/>`,
);
export const mailSentIcon = icon(
  html`<path d="M21.25 12V6.75a2 2 0 0 0-2-2H4.75a2 2 0 0 0-2 2v10.5a2 2 0 0 0 2 2H12M3.25 7.25l8.75 6 8.75-6M15.5 18.5l2 2 4-4.25"/>`,
);
export const mailFailedIcon = icon(
  html`<path d="M21.25 12V6.75a2 2 0 0 0-2-2H4.75a2 2 0 0 0-2 2v10.5a2 2 0 0 0 2 2H12M3.25 7.25l8.75 6 8.75-6M16.5 16.5l4 4M20.5 16.5l-4 4"/>`,
);
export const sendIcon = icon(html`<path d="M21 3 3 10.25l7 3.75 3.75 7zM21 3 10 14"/>`);
export const atIcon = icon(
  html`<circle cx="12" cy="12" r="4"/><path d="M16 8v5a3 3 0 0 0 5.25 0V12a9.25 9.25 0 1 0-3.7 7.4"/>`,
);
export const eyeIcon = icon(
  html`<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="3"/>`,
);
export const brokenIcon = icon(
  html`<path d="m7.5 12.5-2 2a3.5 3.5 0 0 0 5 5l2-2M16.5 11.5l2-2a3.5 3.5 0 0 0-5-5l-2 2M3 21l2-2M19 5l2-2M9.5 9.5l1.5 1.5M13 13l1.5 1.5"/>`,
);
export const outsideIcon = icon(
  html`<path d="M14 3.75h6.25V10M20 4l-9.5 9.5M18 13.5v5a1.75 1.75 0 0 1-1.75 1.75H5.5a1.75 1.75 0 0 1-1.75-1.75V7.75A1.75 1.75 0 0 1 5.5 6h5"/>`,
);
