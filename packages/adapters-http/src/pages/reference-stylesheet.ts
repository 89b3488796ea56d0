/**
 * The reference's own rules, in addition to the stylesheet of all pages. Sizes are the dashboard's: the
 * page is not for buyers.
 */
export const REFERENCE_STYLESHEET = `
html { scroll-padding-top: 20px; }
body { font-size: 14px; line-height: 21px; }
.page { display: grid; grid-template-columns: minmax(0, 1fr); max-width: none; padding: 0; }
.bar { display: flex; align-items: center; gap: 16px; min-height: 56px; padding: 6px 16px; border-bottom: 1px solid var(--border);
  background: var(--card); }
.bar-name { display: flex; align-items: center; gap: 10px; min-height: 44px; color: inherit; font-size: 15px; font-weight: 600;
  letter-spacing: -0.01em; text-decoration: none; }
.bar-link { margin-left: auto; padding: 10px 0; font-size: 13px; }
.skip { position: absolute; left: 16px; top: -60px; z-index: 2; padding: 8px 12px; border-radius: 8px; background: var(--primary);
  color: var(--primary-foreground); }
.skip:focus { top: 8px; }
.contents { padding: 16px; border-bottom: 1px solid var(--border); background: var(--page); font-size: 13px; line-height: 20px; }
.contents ul { list-style: none; }
.contents a { display: block; padding: 6px 10px; border-radius: 6px; color: inherit; text-decoration: none; }
.contents a:hover { background: var(--accent); }
.contents > ul > li > a { font-weight: 550; }
.contents ul ul a { color: var(--muted-foreground); }
.contents ul ul a:hover { color: var(--foreground); }
.contents ul ul a { display: flex; gap: 8px; }
.contents .method { flex: none; width: 36px; padding-top: 2px; font-size: 10.5px; }
.method { font: 550 11px/16px var(--mono); letter-spacing: 0; }
main { min-width: 0; padding: 24px 16px 64px; }
h1 { font-size: 22px; line-height: 28px; }
h2 { font-size: 18px; line-height: 24px; font-weight: 620; letter-spacing: -0.015em; }
h3 { margin: 0; font-size: 15px; line-height: 22px; font-weight: 600; letter-spacing: -0.005em; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { margin: 20px 0 0; font-size: 12px; line-height: 18px; font-weight: 600; color: var(--muted-foreground); }
p + p { margin-top: 8px; }
code { font: 12.5px/19px var(--mono); font-variant-ligatures: none; }
p code { padding: 1px 4px; border-radius: 4px; background: var(--accent); }
.meta code { background: none; padding: 0; }
.group { max-width: 1216px; margin: 0 auto; }
.group + .group { margin-top: 56px; padding-top: 40px; border-top: 1px solid var(--border); }
.group > .lead { max-width: 640px; font-size: 14px; line-height: 21px; }
.small { margin-top: 24px; font-size: 14px; line-height: 21px; letter-spacing: 0; }
.also { margin-top: 8px; }
.object h3 + p { margin-top: 2px; }
.below { margin-top: 8px; }
.operation, .object { margin-top: 20px; padding: 20px 16px; border: 1px solid var(--border); border-radius: 12px;
  background: var(--card); }
.operation-head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; margin-bottom: 14px; }
.address { flex: 1 0 100%; margin: 0; display: flex; gap: 8px; align-items: baseline; }
.address code { min-width: 0; padding: 0; background: none; font-size: 13px; overflow-wrap: anywhere; }
.address .method { flex: none; padding: 1px 6px; border: 1px solid var(--input-border); border-radius: 6px; }
.badge { display: inline-flex; align-items: center; gap: 4px; min-height: 22px; padding: 0 8px 0 6px; border: 1px solid var(--border);
  border-radius: 6px; background: var(--muted); color: var(--muted-foreground); font-size: 12px; line-height: 20px;
  font-weight: 550; vertical-align: middle; white-space: nowrap; }
.badge .icon { width: 13px; height: 13px; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; }
.words > .meta { margin-top: 8px; }
.fields { margin-top: 8px; }
.fields > dt { padding-top: 10px; border-top: 1px solid var(--line); }
.fields > dd { padding-bottom: 10px; }
.fields > dd > p { margin-top: 2px; }
.fields .fields { margin: 8px 0 0; padding-left: 14px; border-left: 2px solid var(--line); }
.fields .fields > dt:first-child { padding-top: 0; border-top: 0; }
.fields .fields > dd:last-child { padding-bottom: 0; }
.field-name { font-weight: 600; }
.type, .required { margin-left: 6px; color: var(--muted-foreground); font-size: 12px; line-height: 18px; }
.type code { font-size: 12px; }
.required { font-weight: 600; color: var(--foreground); }
.answers { display: grid; grid-template-columns: 40px minmax(0, 1fr); margin-top: 8px; }
.answers dt, .answers dd { padding: 7px 0; border-top: 1px solid var(--line); }
.answers dt { font: 13px/21px var(--mono); color: var(--muted-foreground); }
.answers .good { font-weight: 600; color: var(--foreground); }
.code { margin: 0; border: 1px solid var(--border); border-radius: 8px; background: var(--page); overflow: hidden; }
.code + .code { margin-top: 12px; }
.code figcaption { padding: 7px 12px; border-bottom: 1px solid var(--line); color: var(--muted-foreground); font-size: 12px;
  line-height: 18px; font-weight: 550; }
.code pre { margin: 0; padding: 10px 12px; overflow-x: auto; overflow-wrap: normal; white-space: pre; user-select: all; }
.code pre:focus-visible { outline-offset: -2px; border-radius: 0 0 8px 8px; }
.code code { display: block; font-size: 12px; line-height: 18px; width: max-content; min-width: 100%; }
@media (max-width: 1023px) { .contents ul ul { display: none; }
  .contents > ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(136px, 1fr)); gap: 0 4px; }
  .contents a { padding: 12px 10px; } }
@media (min-width: 1024px) {
  .page { grid-template-columns: 232px minmax(0, 1fr); grid-template-rows: auto 1fr; }
  .bar { grid-column: 1 / -1; padding: 0 28px; }
  .contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 20px 14px;
    border: 0; }
  .contents > ul > li + li { margin-top: 8px; }
  .contents a { padding: 3px 10px; }
  main { padding: 32px 28px 96px; border-left: 1px solid var(--border); }
  .operation, .object { padding: 20px; }
}
@media (min-width: 1200px) {
  .pair { grid-template-columns: minmax(0, 1fr) minmax(0, 440px); gap: 32px; align-items: start; }
  .examples { position: sticky; top: 20px; }
}
@media (forced-colors: active) { .badge, .code, .operation, .object { border-color: CanvasText; } }
@media print { .contents, .bar { display: none; } .page { display: block; } }
`;
