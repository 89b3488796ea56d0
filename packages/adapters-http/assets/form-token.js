/**
 * The token that requests of upload.js carry. That of the page is refused after half a day, and after another sign-in. A large
 * file, or a tab, stays longer.
 */
// biome-ignore lint/correctness/noUnusedVariables: the script after this one calls it.
function createFormToken() {
  const READ_AFTER_MS = 60 * 60 * 1000;
  let token = Promise.resolve(tokenOf(document));
  let readAt = Date.now();

  return {
    take() {
      if (Date.now() - readAt > READ_AFTER_MS) {
        readAt = Date.now();
        token = renew(token);
      }
      return token;
    },
    /** It was refused: the next request reads another one. */
    forget() {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };

  async function renew(former) {
    try {
      const page = await (await fetch(location.href)).text();
      return tokenOf(new DOMParser().parseFromString(page, 'text/html')) ?? former;
    } catch {
      return former;
    }
  }

  function tokenOf(page) {
    return page.querySelector('meta[name="form-token"]')?.content;
  }
}
