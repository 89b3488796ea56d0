import { type Html, type HtmlValue, html } from '@handover/html';

/** A mail as its readers see it, without sender and recipient. */
export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export const INK = '#181a21';
export const MUTED = '#61656e';
export const SMALL = `font-size:13px;line-height:20px;color:${MUTED}`;
/** Of the text below the heading. */
export const LEAD = 'font-size:15px;line-height:23px;color:#3f434c';
export const LINE = 'border-top:1px solid #ebedf0';
const FONT = html`-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Hiragino Sans','Noto Sans JP','Yu Gothic UI',Meiryo,sans-serif`;
const TABLE = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;
/** Keeps mail programs from filling the preview with the text of the page. */
const FILLER = html`${new Array<Html>(80).fill(html`&#847;&zwnj;&nbsp;`)}`;

/**
 * The frame of every mail: a white card, 560 pixels wide, on grey, with small print below it. Light mode
 * only.
 */
export function mailPage({
  locale = 'en-GB',
  title,
  preview,
  card,
  below,
}: {
  readonly locale?: string;
  readonly title: string;
  readonly preview: string;
  readonly card: Html;
  readonly below: Html;
}): Html {
  return html`<!doctype html>
<html lang="${locale}" dir="ltr" xmlns="http://www.w3.org/1999/xhtml">
${mailHead(title)}
<body style="margin:0;padding:0;background-color:#f4f5f7;-webkit-text-size-adjust:100%;text-size-adjust:100%">
<div style="display:none;mso-hide:all;max-height:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:#f4f5f7">${preview}${FILLER}</div>
<div role="main"><table ${TABLE} width="100%" bgcolor="#f4f5f7" style="background-color:#f4f5f7"><tr>
  <td class="page" align="center" style="padding:36px 16px;font-family:${FONT}">
    <!--[if mso]><table ${TABLE} width="560"><tr><td><![endif]-->
    <table ${TABLE} width="100%" style="max-width:560px;border-collapse:separate"><tr>
      <td class="card" align="left" bgcolor="#ffffff" style="padding:32px;border:1px solid #e4e5e9;border-radius:12px;background-color:#ffffff;font-family:${FONT};overflow-wrap:anywhere">${card}
      </td></tr><tr>
      <td class="below" align="center" style="padding:20px 16px 0;font-family:${FONT};text-wrap:balance">
    ${below}
      </td></tr></table>
    <!--[if mso]></td></tr></table><![endif]-->
  </td></tr></table></div>
</body>
</html>
`;
}

function mailHead(title: string): Html {
  return html`<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light">
  <meta name="supported-color-schemes" content="light">
  <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
  <meta name="x-apple-disable-message-reformatting">
  <title>${title}</title>
  <style>
    :root { color-scheme: light; supported-color-schemes: light; }
    .card { line-break: strict; text-wrap: pretty; }
    .heading, a.wide, .below { word-break: auto-phrase; }
    @media (max-width: 480px) {
      .page { padding: 16px 12px 24px !important; }
      .card { padding: 24px 20px !important; }
      .heading { font-size: 22px !important; line-height: 28px !important; }
      table.wide { width: 100% !important; }
      a.wide, .press a { display: block !important; text-align: center; text-wrap: balance; }
      .row td { display: block; }
      .row .press { padding: 0 0 16px !important; border-top: 0 !important; white-space: normal !important; }
      .press table { float: none; width: 100%; }
    }
  </style>
  <!--[if mso]><style>* { font-family: 'Segoe UI', Arial, sans-serif !important; }</style><![endif]-->
</head>`;
}

/** How a card begins: whose mail it is, and its heading. */
export function mailTop(from: string, heading: HtmlValue): Html {
  return html`<p style="margin:0 0 12px;font-size:14px;line-height:20px;font-weight:600;color:${MUTED}">${from}</p>
    <h1 class="heading" style="margin:0 0 8px;font-size:24px;line-height:31px;font-weight:600;letter-spacing:-0.48px;color:${INK};text-wrap:balance">${heading}</h1>`;
}

/** `mso-padding-alt` is for Outlook, which ignores the padding of links. */
export function mailButton(url: string, label: string): Html {
  return html`<table class="wide" role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
      <td bgcolor="#1e212a" style="border-radius:10px;background-color:#1e212a;mso-padding-alt:11px 22px">
        <a class="wide" href="${url}" style="display:inline-block;padding:11px 22px;border-radius:10px;font-size:15px;line-height:22px;font-weight:600;color:#fcfcfc;text-decoration:none">${label}</a>
      </td></tr></table>`;
}

/** A button's address as a link, for mail programs that show no buttons. */
export function mailLink(url: string, title: string | null = null): Html {
  return html`<p style="margin:6px 0 0;${SMALL}">${title === null ? '' : html`${title}<br>`}<a
        href="${url}" style="font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px;line-height:18px;color:${INK};text-decoration:underline;word-break:break-all">${url}</a></p>`;
}
