import type { VersionWithFiles } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { submitButton } from '../parts/button.ts';
import { counted } from '../parts/money.ts';
import { formPage } from '../parts/narrow-page.ts';
import type { LoadedProduct } from './load-product.ts';

/** Before an older version goes live: who gets it, and who keeps what they have. */
export function makeLivePage(version: VersionWithFiles, loaded: LoadedProduct): Answer {
  const { product, versions, waiting } = loaded;
  const live = versions.find(({ id }) => id === product.activeVersionId);
  const sentence = live
    ? html`New orders then get version <strong><bdi>${version.version}</bdi></strong> instead of <bdi>${live.version}</bdi>. Those who bought <bdi>${live.version}</bdi> keep it, and you can make it live again at any time.`
    : html`New orders then get version <strong><bdi>${version.version}</bdi></strong>.`;
  const released =
    waiting.count > 0
      ? html`<p class="muted">${counted(waiting.count, 'order')} can be delivered next.</p>`
      : '';
  return ask(loaded, {
    title: `Make version ${version.version} live`,
    windowTitle: `Make version ${version.version} live · ${loaded.product.name}`,
    words: html`<p>${sentence}</p>${released}`,
    action: `versions/${version.id}/make-live`,
    button: `Make ${version.version} live`,
  });
}

/** Before a product is published that delivers nothing yet: a version with files is what it most likely should deliver. */
export function publishPage(loaded: LoadedProduct): Answer {
  const ready = loaded.versions.find(({ files }) => files.length > 0);
  if (ready && loaded.product.activeVersionId === null) {
    return ask(loaded, {
      title: `Publish ${loaded.product.name}`,
      words: html`<p>Version <strong><bdi>${ready.version}</bdi></strong> has ${counted(ready.files.length, 'file')}, but is not live yet. Publishing it makes it live: buyers get it, and its files stay as they are.</p>`,
      action: `versions/${ready.id}/make-live`,
      button: `Publish version ${ready.version}`,
      sends: { name: 'publish', value: 'yes' },
    });
  }
  return ask(loaded, {
    title: `Publish ${loaded.product.name}`,
    words: html`<p><strong>It has no live version, so there is nothing to deliver yet.</strong> Orders are recorded and held until you make one live. Then they are delivered.</p><p class="muted">“Back to draft” undoes it.</p>`,
    action: 'publish',
    button: 'Publish without a version',
  });
}

function ask(
  { product, csrfToken }: LoadedProduct,
  asked: {
    readonly title: string;
    readonly windowTitle?: string;
    readonly words: Html;
    readonly action: string;
    readonly button: string;
    readonly sends?: { readonly name: string; readonly value: string };
  },
): Answer {
  const at = `/dashboard/products/${product.id}`;
  return formPage({
    title: asked.title,
    windowTitle: asked.windowTitle ?? asked.title,
    back: { href: at, words: product.name },
    action: `${at}/${asked.action}`,
    csrfToken,
    fields: asked.words,
    submit: submitButton({ words: asked.button, primary: true }, asked.sends),
  });
}
