/** The texts that a phone has received, the newest first. */
export async function smsAt(sandboxUrl: string, phone: string): Promise<string[]> {
  const answer = await fetch(`${sandboxUrl}/sms/messages?phone=${encodeURIComponent(phone)}`);
  const { messages } = (await answer.json()) as { messages: { text: string }[] };
  return messages.map(({ text }) => text);
}

/** Makes the sandbox's SMS operator behave differently from here on. */
export async function switchSms(sandboxUrl: string, change: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const set = await fetch(`${sandboxUrl}/sms/switches`, { method: 'POST', headers, body: JSON.stringify(change) });
  if (!set.ok) throw new Error(`the sandbox does not know the switch: ${await set.text()}`);
}
