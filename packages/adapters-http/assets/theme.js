// Runs in <head>, so that a page never flashes in the wrong colours.
(() => {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => /(?:^|; )handover-theme=(dark|light)/.exec(document.cookie)?.[1];
  const apply = () => {
    const theme = chosen() ?? (system.matches ? 'dark' : 'light');
    root.dataset.theme = theme;
    root.classList.toggle('dark', theme === 'dark');
  };
  apply();
  system.addEventListener('change', apply);
  document.addEventListener('click', (event) => {
    if (!event.target.closest?.('[data-switch-theme]')) return;
    const next = root.dataset.theme === 'dark' ? 'light' : 'dark';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers.
    document.cookie = `handover-theme=${next}; path=/; max-age=31536000; samesite=lax`;
    apply();
  });
})();
