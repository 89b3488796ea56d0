import type { HttpOptions } from '@handover/adapters-http';
import { html } from '@handover/html';

/** Stands for the mails of the adapter that sends them: what a receipt says, with links and inline styles. */
export const renderPlainly: HttpOptions['renderReceipt'] = ({ organisation, items, worksUntil }) => {
  const lines = items.map(({ productName, downloadUrl }) => ({ productName, downloadUrl }));
  return {
    subject: `Your download from ${organisation.name}`,
    html: String(
      html`<!doctype html><html lang="en"><head><title>Mail</title></head><body style="background:#eef0f4">${lines.map(
        ({ productName, downloadUrl }) =>
          html`<p><a href="${downloadUrl}" style="color:rgb(39,89,214)">${productName}</a> ${downloadUrl}</p>`,
      )}</body></html>`,
    ),
    text: `${lines.map(({ productName, downloadUrl }) => `${productName}: ${downloadUrl}`).join('\n')}\nUntil ${worksUntil.toISOString()}`,
  };
};
