import { namesPassword } from '@fpay/contract/admin/network/device-passwords';

const hidden = '***';

/** A user and a password in an address. */
const userInAddress = /:\/\/[^/@\s"]*@/g;
const withoutUser = (value: string): string => value.replace(userInAddress, `://${hidden}@`);

/** An object of a list, whose strings may have braces. */
const items = /\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}/g;
const keyOfItem = /"key"\s*:\s*("(?:[^"\\]|\\.)*")/i;
const valueOfItem = /("value"\s*:\s*)("(?:[^"\\]|\\.)*"|[^\s,}\]]+)/gi;
const mayListKeys = /configuration|authorizationkey/i;

interface ListedKey {
  key: string;
  value?: string;
}

/**
 * Every answer of a device passes here before anything else sees it. A charger may list its own password and those of
 * its network; they are of no use to us and would be in the database, on pages and in exports.
 */
export function withoutPasswords(action: string, answer: object): object {
  if (action !== 'GetConfiguration') return answer;
  const { configurationKey } = answer as { configurationKey?: ListedKey[] };
  return configurationKey === undefined ? answer : { ...answer, configurationKey: configurationKey.map(withoutValue) };
}

function withoutValue(item: ListedKey): ListedKey {
  if (item.value === undefined || item.value === '') return item;
  return { ...item, value: namesPassword(item.key) ? hidden : withoutUser(item.value) };
}

/** The same for a frame as it went over the wire, in either direction. */
export function textWithoutPasswords(text: string): string {
  if (!mayListKeys.test(text)) return text;
  return text.replace(items, (item) => {
    const name = keyOfItem.exec(item)?.[1];
    if (name === undefined) return item;
    if (!namesPassword(readText(name))) return withoutUser(item);
    return item.replace(valueOfItem, (_pair, before: string) => `${before}"${hidden}"`);
  });
}

/** A device may write any letter of the name as an escape. */
function readText(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
