/**
 * Loads the library of upload.js or passkeys.js with its first use, because it is as large as all other scripts of the page.
 * `find` returns it once it is loaded.
 */
// biome-ignore lint/correctness/noUnusedVariables: the script after this one calls it.
function loadLibrary(src, find, problem) {
  let loading = null;
  return () => {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.addEventListener('load', () => resolve(find()));
      script.addEventListener('error', () => {
        loading = null;
        reject(new Error(problem));
      });
      script.src = src;
      document.head.append(script);
    });
    return loading;
  };
}
