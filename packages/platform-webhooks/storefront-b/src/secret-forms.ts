/**
 * The keys that a shop may sign with when this secret was typed into it. Shops can store `&`, `<`, `>` and
 * quotes as HTML entities; current releases decode them before signing, older ones sign with what is stored.
 * https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/class-wc-webhook.php (generate_signature)
 */
export function listSecretForms(secret: string): readonly string[] {
  return [...new Set([secret, encodeEntities(secret), decodeEntities(secret)])];
}

function encodeEntities(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}

/** In one pass, as the shop does it: what decoding brings forth is not decoded again. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|apos|#0*38|#0*39|#x0*27);/gi, (entity) => {
    return CHARACTERS.get(entity.toLowerCase().replace(/#(x?)0+/, '#$1')) ?? entity;
  });
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#039;'],
]);

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&#38;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&#x27;', "'"],
]);
