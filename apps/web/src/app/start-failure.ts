import { languageRecords, languages } from '@fpay/contract/languages';

/**
 * The app's texts could not be loaded, so this is the only place that does not use i18n. A user who waits at the
 * loading animation reads in each of our languages what to do.
 */
export function showStartFailure(root: HTMLElement, reload: () => void): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'flex flex-col gap-1 rounded-card bg-surface p-6 text-center text-body font-bold shadow-card';
  button.addEventListener('click', reload);
  for (const language of languages) {
    const line = document.createElement('span');
    line.textContent = languageRecords[language].offline;
    button.append(line);
  }
  const screen = document.createElement('div');
  screen.className = 'loading-screen';
  screen.append(button);
  root.replaceChildren(screen);
}
