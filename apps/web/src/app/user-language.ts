import { storeLanguage, type User } from '@fpay/contract/account';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { accountQueries, isRegistered } from '../features/account/queries.ts';
import { chooseLanguage, currentLanguage, onLanguageChange } from '../i18n/i18n.ts';
import { chosenLanguage } from '../i18n/languages.ts';

/**
 * Keeps the language of the page and of the user equal, because receipts, SMS and the bot use the stored one. A choice
 * on this device is stored with the user, guests included. On a device without a choice the page takes over the language
 * of the account.
 */
export function keepLanguageStored(queryClient: QueryClient): () => void {
  const { queryKey } = accountQueries.user();
  let knownId: number | null = null;

  function store(user: User): void {
    const language = currentLanguage();
    if (user.language === language) return;
    queryClient.setQueryData(queryKey, (now) => now && { ...now, language });
    // Another attempt follows with the next visit.
    call(storeLanguage, { body: { language } }).catch((error: unknown) => console.warn('language not stored', error));
  }

  function onUser(user: User | null): void {
    if (user?.id === knownId) return;
    knownId = user?.id ?? null;
    if (!user) return;
    const takesOver = isRegistered(user) && user.language && chosenLanguage() === null;
    if (takesOver && user.language) chooseLanguage(user.language).catch(() => undefined);
    else store(user);
  }

  const observer = new QueryObserver(queryClient, { ...accountQueries.user(), enabled: false });
  onUser(observer.getCurrentResult().data ?? null);
  const stopUser = observer.subscribe(({ data }) => onUser(data ?? null));
  const stopLanguage = onLanguageChange(() => {
    const user = queryClient.getQueryData<User | null>(queryKey);
    if (user) store(user);
  });
  return () => {
    stopUser();
    stopLanguage();
  };
}
