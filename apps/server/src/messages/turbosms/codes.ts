/**
 * What each answer of TurboSMS means for us. `bad_number`: this number will never work. `operator`: our staff must act
 * (token, sender, credit). `later`: a retry makes sense. `bug`: we sent a wrong request.
 */
const meanings = {
  bad_number: [305, 404, 406, 407],
  operator: [103, 105, 106, 203, 301, 302, 400, 401],
  later: [503, 999],
  bug: [104, 200, 201, 202, 300, 303, 304, 307, 403, 405, 411, 412, 413, 414, 500, 501, 502, 504, 505],
} as const;

export type CodeMeaning = keyof typeof meanings;

const byCode = new Map<number, CodeMeaning>(
  Object.entries(meanings).flatMap(([meaning, codes]) => codes.map((code) => [code, meaning as CodeMeaning] as const)),
);

/** An unknown code must be checked by the operator. */
export function meaningOf(code: number): CodeMeaning {
  return byCode.get(code) ?? 'operator';
}

export function isAccepted(code: number): boolean {
  return code === 0 || (code >= 800 && code <= 803);
}
