// A classic script in the head: the chosen theme must be known before the first paint, and the content security
// policy allows no inline script. "System" needs nothing here: the stylesheet follows the device by itself.
(() => {
  try {
    const chosen = localStorage.getItem('fpay.theme');
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage may be forbidden; then the device decides.
  }
})();
