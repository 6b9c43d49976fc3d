// Lists that change while one looks at them: each is fetched again every second and replaced when it is different.
// Without this script the pages work the same; one reloads them by hand.
for (const list of document.querySelectorAll('[data-live]')) {
  const scroll = () => {
    if ('scroll' in list.dataset) window.scrollTo(0, document.documentElement.scrollHeight);
  };
  let shown = '';
  const refresh = async () => {
    try {
      const response = await fetch(list.dataset.live);
      const markup = await response.text();
      // What someone has opened or is typing into stays as it is.
      const isInUse = list.contains(document.activeElement) || list.querySelector('details[open]');
      if (response.ok && markup !== shown && !isInUse) {
        if (shown !== '' || list.innerHTML.trim() !== markup.trim()) list.innerHTML = markup;
        shown = markup;
        scroll();
      }
    } catch {
      // The sandbox is away; the next round finds it again.
    }
    setTimeout(refresh, 1000);
  };
  scroll();
  setTimeout(refresh, 1000);
}
