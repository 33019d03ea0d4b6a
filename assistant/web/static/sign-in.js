const root = document.documentElement, key = 'layover-theme';
const kept = () => { try { return localStorage.getItem(key); } catch { return null; } };
if (kept()) root.dataset.theme = kept();
document.addEventListener('DOMContentLoaded', () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
  for (const field of document.querySelectorAll('input[name=timezone]')) field.value = zone;
  document.getElementById('theme').addEventListener('click', () => {
    const dark = (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
    root.dataset.theme = dark ? 'light' : 'dark';
    try { localStorage.setItem(key, root.dataset.theme); } catch { /* the choice lasts as long as the page */ }
  });
});
