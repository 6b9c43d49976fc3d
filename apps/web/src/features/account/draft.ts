/** What a driver has typed at sign-up and takes along to the page where the code is entered. */
export interface SignUpDraft {
  name: string;
  password: string;
  phoneNumber: string;
  telegramId: number | null;
  car: { name: string; battery: number | null };
  /** Of the terms they agreed to. */
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

let kept: SignUpDraft | null = null;

export function signUpDraft(): SignUpDraft {
  kept ??= { ...nothing, ...stored() };
  return kept;
}

/** The tab keeps everything but the password: phones throw pages away while one reads the SMS. */
export function keepDraft(draft: SignUpDraft): void {
  kept = draft;
  const { password: _secret, ...rest } = draft;
  sessionStorage.setItem(storageKey, JSON.stringify(rest));
}

export function forgetDraft(): void {
  kept = null;
  sessionStorage.removeItem(storageKey);
}

/** Only a filled draft has anything to confirm by a code. */
export function isFilled({ name, password, phoneNumber, car }: SignUpDraft): boolean {
  return name !== '' && password !== '' && phoneNumber !== '' && car.name !== '';
}

function stored(): Partial<SignUpDraft> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}');
  } catch {
    return {};
  }
}
