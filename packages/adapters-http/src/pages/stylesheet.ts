/**
 * The one stylesheet of all pages. Its colours repeat the dashboard's tokens, so that dark mode needs no
 * script.
 */
export function stylesheet({ text, mono }: { readonly text: FontFiles; readonly mono: FontFiles }): string {
  return `${fontFaces('Inter Variable', text)}${fontFaces('Geist Mono Variable', mono)}${TOKENS}${BASE}${CARD}${FORMS}${FILES}${MAIL}`;
}

interface FontFiles {
  readonly latin: string;
  readonly latinExt: string;
}

/** The font faces of a variable font with two files in the stylesheet's folder. */
export function fontFaces(family: string, { latin, latinExt }: FontFiles): string {
  return [
    { file: latinExt, range: LATIN_EXT },
    { file: latin, range: LATIN },
  ]
    .map(
      ({ file, range }) => `
@font-face { font-family: '${family}'; font-style: normal; font-display: swap; font-weight: 100 900;
  src: url('${file.slice(file.lastIndexOf('/') + 1)}') format('woff2'); unicode-range: ${range}; }`,
    )
    .join('');
}

// From the font package's unicode.json.
export const LATIN =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,' +
  'U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const LATIN_EXT =
  'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,' +
  'U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF';

const TOKENS = `
:root {
  color-scheme: light dark;
  --page: #f8f9fb; --card: #ffffff; --muted: #f4f5f7; --accent: #eef0f4;
  --border: #e4e5e9; --line: #ebedf0; --input-border: #d0d2d8;
  --foreground: #181a21; --muted-foreground: #61656e;
  --primary: #1e212a; --primary-hover: #2d313c; --primary-foreground: #fcfcfc;
  --brand: #2759d6; --ring: #3b6ee5;
  --held: #935800; --held-tint: #fff9e4; --held-border: #f3ddae;
  --success: #0b703f; --success-tint: #e5fbed; --success-border: #b6ebca;
  --error: #c32327;
  --shadow: 0 1px 2px rgb(24 26 33 / 4%);
  --sans: 'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif;
  --mono: 'Geist Mono Variable', ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #101115; --card: #16171c; --muted: #1c1e22; --accent: #282a30;
    --border: rgb(255 255 255 / 10%); --line: rgb(255 255 255 / 6.5%); --input-border: rgb(255 255 255 / 17%);
    --foreground: #ebedf0; --muted-foreground: #a0a3ab;
    --primary: #eff0f2; --primary-hover: #ffffff; --primary-foreground: #14161c;
    --brand: #84abfc; --ring: #6895f4;
    --held: #f0bf61; --held-tint: rgb(240 191 97 / 13%); --held-border: rgb(240 191 97 / 30%);
    --success: #66d497; --success-tint: rgb(102 212 151 / 13%); --success-border: rgb(102 212 151 / 30%);
    --error: #fc8987;
    --shadow: none;
  }
}
`;

const BASE = `
html:lang(ja) { --sans: 'Inter Variable', system-ui, 'Hiragino Sans', 'Noto Sans JP', 'Yu Gothic UI', Meiryo, sans-serif; line-break: strict; word-break: auto-phrase; }
/* Whole phrases make ragged lines of half the width there. */
@media (max-width: 479px) { p:lang(ja):not(.aside) { word-break: normal; } }
:lang(ja) time, time[data-day] { white-space: nowrap; }
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--foreground); font: 400 16px/24px var(--sans);
  -webkit-font-smoothing: antialiased; overflow-wrap: anywhere; text-wrap: pretty; }
/* WebKit 2.50 (Safari 26) ends the page's process if a long word that it breaks follows a forced line break in \`pretty\` text. */
textarea, :has(> br) { text-wrap-style: auto; }
h1, h2, p, ul, dl, dd { margin: 0; padding: 0; }
a { color: var(--brand); text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 3px;
  text-decoration-color: color-mix(in srgb, currentColor 55%, transparent); border-radius: 3px; }
a:hover { text-decoration-color: currentColor; }
strong { font-weight: 600; }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
.icon { width: 20px; height: 20px; flex: none; }
.mono { font-family: var(--mono); font-variant-ligatures: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.page { max-width: 640px; margin: 0 auto; padding: 28px 16px 48px; }
.page-wide { max-width: 832px; }
.brand { display: flex; align-items: center; gap: 10px; min-height: 26px; padding: 0 4px; margin-bottom: 20px;
  font-size: 16px; font-weight: 600; letter-spacing: -0.01em; }
.brand a { color: inherit; text-decoration: none; }
.brand a:hover { text-decoration: underline; }
.mark { flex: none; display: grid; place-items: center; width: 26px; height: 26px; border-radius: 7px;
  font-size: 14px; line-height: 1; letter-spacing: 0; }
span.mark { background: var(--primary); color: var(--primary-foreground); }
.aside { max-width: 400px; margin: 20px auto 0; color: var(--muted-foreground); font-size: 13px; line-height: 20px;
  text-align: center; text-wrap: balance; }
@media (max-width: 340px) { .page { padding-inline: 12px; } }
@media (forced-colors: active) { span.mark, .notice, .check code { outline: 1px solid CanvasText; outline-offset: -1px; } }
@media (prefers-reduced-motion: no-preference) {
  a, .button, summary, .icon { transition: background-color 140ms ease-out, border-color 140ms ease-out,
    color 140ms ease-out, text-decoration-color 140ms ease-out; }
}
`;

const CARD = `
.card { background: var(--card); border: 1px solid var(--border); border-radius: 12px; padding: 20px;
  box-shadow: var(--shadow); }
h1 { font-size: 24px; line-height: 30px; font-weight: 620; letter-spacing: -0.02em; text-wrap: balance; }
.lead { margin-top: 6px; color: var(--muted-foreground); font-size: 15px; line-height: 22px; }
.lead strong { color: var(--foreground); font-weight: 550; }
.meta { color: var(--muted-foreground); font-size: 13px; line-height: 20px }
.whole { display: inline-block; }
.tile { display: grid; place-items: center; width: 48px; height: 48px; margin-bottom: 18px; border-radius: 12px;
  border: 1px solid var(--border); background: var(--muted); color: var(--muted-foreground); }
.tile .icon { width: 24px; height: 24px; }
.tile-held { border-color: var(--held-border); background: var(--held-tint); color: var(--held); }
.tile-success { border-color: var(--success-border); background: var(--success-tint); color: var(--success); }
.notice + .card { margin-top: 16px; }
.notice { display: flex; gap: 10px; margin-top: 18px; padding: 12px 14px; border-radius: 10px;
  background: var(--muted); font-size: 14px; line-height: 20px; }
.notice .icon { margin-top: 1px; width: 18px; height: 18px; color: var(--muted-foreground); }
.notice p + p { margin-top: 8px; }
.button { display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-height: 44px;
  padding: 9px 16px; border: 1px solid var(--input-border); border-radius: 8px; background: var(--card);
  color: var(--foreground); font-size: 15px; line-height: 24px; font-weight: 550; text-decoration: none;
  font-family: inherit; text-align: center; text-wrap: balance; cursor: pointer; }
.button:hover { background: var(--muted); }
.button .icon { flex: none; width: 18px; height: 18px; }
.button-primary { border-color: transparent; background: var(--primary); color: var(--primary-foreground); }
.button-primary:hover { background: var(--primary-hover); }
.button-wide { width: 100%; margin-top: 18px; }
/* The icon stays beside the first word where the words wrap. */
.button-wide:has(> .words) { display: block; text-align: center; }
.button .words { position: relative; padding-left: 26px; }
.button .words .icon { position: absolute; top: 1px; left: 0; }
.card + .card { margin-top: 16px; }
.answer:focus { outline: none; }
.answer { display: flex; gap: 10px; padding-block: 18px; }
.answer h2 { font-size: 15px; line-height: 22px; font-weight: 600; }
.answer p { color: var(--muted-foreground); font-size: 14px; line-height: 20px; }
.answer p + p, .answer form + p { margin-top: 6px; }
.answer .form { margin: 10px 0 14px; }
.answer .form p { margin-bottom: 8px; }
.answer-icon .icon { width: 18px; height: 18px; margin-top: 2px; }
.answer-icon-success { color: var(--success); }
.answer-icon-held { color: var(--held); }
@media (min-width: 640px) { .card { padding: 24px; } }
.way h2 { margin-top: 24px; padding-top: 20px; border-top: 1px solid var(--line); font-size: 15px; line-height: 22px;
  font-weight: 600; }
.way h2 + p { margin-top: 2px; color: var(--muted-foreground); font-size: 14px; line-height: 20px; }
.way .button { margin-top: 14px; }
@media (max-width: 479px) { .way .button { width: 100%; } }
`;

const FORMS = `
.form { margin-top: 18px; }
.form label { display: block; margin-bottom: 6px; font-size: 14px; line-height: 20px; font-weight: 550; }
.input { display: block; width: 100%; min-height: 44px; padding: 9px 10px; border: 1px solid var(--input-border);
  border-radius: 8px; background: var(--card); color: var(--foreground); font: 400 16px/24px var(--sans); }
.input:focus-visible { outline-offset: 0; }
.input[aria-invalid] { border-color: var(--error); }
.problem { display: flex; gap: 6px; margin-top: 6px; color: var(--error); font-size: 13px; line-height: 20px; }
.problem .icon { width: 16px; height: 16px; margin-top: 2px; }
`;

const FILES = `
.files { list-style: none; margin-top: 4px; }
.file { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 16px; padding: 18px 0; }
.file + .file { border-top: 1px solid var(--line); }
.file:last-child { padding-bottom: 0; }
.file-name { flex: 999 1 150px; min-width: 0; }
.file .button { flex: 1 0 auto; }
:is(.file h2, .file-name > p:first-child) { font-size: 15px; line-height: 22px; font-weight: 600; letter-spacing: -0.005em; }
.file-name .meta { margin-top: 1px; }
.bought h3 { margin: 0; font-size: 17px; line-height: 24px; font-weight: 600; letter-spacing: -0.01em; }
.bought form { margin: 0; }
.bought > p:not(.meta) { margin: 12px 0 0; font-size: 15px; line-height: 22px; }
.shop { margin-top: 24px; }
.shop .section { margin-top: 0; }
.section .meta { font-weight: 400; }
.all .meta { text-align: center; }
.all .meta:not(:empty, :has(> [hidden])) { margin-top: 6px; }
.percent { font-size: 15px; line-height: 22px; font-weight: 550; font-variant-numeric: tabular-nums; }
.sending { flex: 1 0 100%; }
.sending progress { display: block; width: 100%; height: 8px; border: 0; border-radius: 4px; overflow: hidden;
  appearance: none; background: var(--accent); color: var(--brand); }
@media (forced-colors: active) { .sending progress { outline: 1px solid CanvasText; forced-color-adjust: none; } }
.sending progress::-webkit-progress-bar { background: var(--accent); }
.sending progress::-webkit-progress-value { background: var(--brand); border-radius: 4px; }
.sending progress::-moz-progress-bar { background: var(--brand); border-radius: 4px; }
.sending .meta { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; margin-top: 8px;
  font-variant-numeric: tabular-nums; }
.stopped { flex: 1 0 100%; padding: 10px 12px; border: 1px solid var(--held-border); border-radius: 8px;
  background: var(--held-tint); font-size: 14px; line-height: 20px; }
.badge { display: inline-flex; align-items: center; gap: 4px; min-height: 22px; padding: 0 7px 0 5px; border: 1px solid;
  border-radius: 6px; font-size: 12px; line-height: 20px; font-weight: 550; white-space: nowrap; }
.badge .icon { width: 14px; height: 14px; }
.badge-success { border-color: var(--success-border); background: var(--success-tint); color: var(--success); }
.newer { display: flex; gap: 8px; margin-top: 18px; padding-top: 16px; border-top: 1px solid var(--line);
  color: var(--muted-foreground); font-size: 13px; line-height: 20px; }
.newer .icon { width: 16px; height: 16px; margin-top: 2px; }
.check { flex: 1 0 100%; margin-top: -6px; font-size: 13px; line-height: 20px; }
.check summary { display: inline-flex; align-items: center; gap: 6px; margin-left: -4px; padding: 2px 6px 2px 2px;
  border-radius: 6px; color: var(--muted-foreground); cursor: pointer; list-style: none; }
.check summary::-webkit-details-marker { display: none; }
.check summary:hover { color: var(--foreground); }
.check summary .icon { width: 16px; height: 16px; transform: rotate(-90deg); }
.check[open] summary .icon { transform: none; }
.check code { display: block; margin-top: 6px; padding: 8px 12px; border-radius: 8px; background: var(--muted);
  font: 12px/19px var(--mono); font-variant-ligatures: none; user-select: all; }
.check code span { padding-right: 1ch; }
@media (max-width: 359px) { .file .button { flex-basis: 100%; } }
`;

const MAIL = `
.mails { list-style: none; padding: 6px 8px; }
.mails a { display: grid; gap: 1px 16px; padding: 11px 12px; border-radius: 8px; color: inherit; text-decoration: none; }
.mails a:hover { background: var(--muted); }
.mails li + li { border-top: 1px solid var(--line); }
.mails .subject { font-size: 15px; line-height: 22px; font-weight: 550; }
.mails .meta { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 16px; margin-top: 14px; font-size: 14px;
  line-height: 20px; }
.facts dt { color: var(--muted-foreground); }
.back { display: inline-block; margin-bottom: 10px; font-size: 13px; line-height: 20px; }
.head { padding: 0 4px; margin-bottom: 16px; }
.section { margin: 24px 4px 8px; font-size: 14px; line-height: 20px; font-weight: 600; }
.mail-frame { display: block; width: 100%; height: 640px; border: 1px solid var(--border); border-radius: 12px;
  background: #ffffff; color-scheme: light; }
.mail-text { margin: 0; padding: 16px 20px; border: 1px solid var(--border); border-radius: 12px; background: var(--card);
  font: 13px/20px var(--mono); font-variant-ligatures: none; white-space: pre-wrap;
  text-wrap-style: auto; }
@media (min-width: 640px) {
  .mails a { grid-template-columns: minmax(0, 1fr) auto; }
  .mails time { grid-row: 1; grid-column: 2; line-height: 22px; }
}
.empty { padding: 40px 20px; text-align: center; }
.empty .tile { margin: 0 auto 16px; }
.empty h2 { font-size: 15px; line-height: 22px; font-weight: 600; }
.empty p { max-width: 380px; margin: 4px auto 0; color: var(--muted-foreground); font-size: 14px; line-height: 20px;
  text-wrap: balance; }
.choices { display: flex; flex-wrap: wrap; justify-content: center; gap: 8px; margin-top: 18px; }
`;
