/** What a driver typed at sign-up; the page of the code needs it too. */
export interface SignUpDraft {
  name: string;
  password: string;
  phoneNumber: string;
  telegramId: number | null;
  car: { name: string; battery: number | null };
  /** Version of the accepted terms. */
  termsVersion: string;
}

const storageKey = 'fpay.sign-up';
const nothing: SignUpDraft = {
  name: '',
  password: '',
  phoneNumber: '',
  telegramId: null,
  car: { name: '', battery: null },
  termsVersion: '',
};

let current: SignUpDraft | null = null;

export function signUpDraft(): SignUpDraft {
  current ??= { ...nothing, ...stored() };
  return current;
}

/** The tab stores everything but the password, because phones discard pages while the driver reads the SMS. */
export function storeDraft(draft: SignUpDraft): void {
  current = draft;
  const { password: _secret, ...rest } = draft;
  sessionStorage.setItem(storageKey, JSON.stringify(rest));
}

export function deleteDraft(): void {
  current = null;
  sessionStorage.removeItem(storageKey);
}

/** Only a complete draft can be confirmed by a code. */
export function isComplete({ name, password, phoneNumber, car }: SignUpDraft): boolean {
  return name !== '' && password !== '' && phoneNumber !== '' && car.name !== '';
}

function stored(): Partial<SignUpDraft> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}');
  } catch {
    return {};
  }
}
