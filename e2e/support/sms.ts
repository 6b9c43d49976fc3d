import { expect } from '@playwright/test';

const sandbox = () => process.env.SANDBOX_URL ?? 'http://127.0.0.1:8090';

/** A phone number that is not used yet. */
export function newPhone(): string {
  return `+38067${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
}

/** The codes of the SMS that a phone got, newest first, from the sandbox's page. */
async function codesSentTo(phone: string): Promise<string[]> {
  const answer = await fetch(`${sandbox()}/sms/messages?phone=${encodeURIComponent(phone)}`);
  const { messages } = (await answer.json()) as { messages: { text: string }[] };
  return messages.flatMap(({ text }) => /\d{6}/.exec(text)?.[0] ?? []);
}

/** Waits for the SMS and reads its code. */
export async function codeSentTo(phone: string): Promise<string> {
  let code: string | undefined;
  await expect(async () => {
    [code] = await codesSentTo(phone);
    expect(code, `an SMS to ${phone}`).toMatch(/^\d{6}$/);
  }).toPass({ timeout: 20_000 });
  return code ?? '';
}
