/** A line of a log that people read as text. */
export interface TextLogLine {
  /** The time as the log shows it. */
  at: string;
  actor: string;
  text: string;
}

/**
 * What begins a new line somewhere or changes the order in which a line is shown: control characters, the separators of
 * Unicode, and the characters that turn the direction of writing.
 */
const unseen = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The pictures of the first 32 control characters stand in their order from U+2400. */
function signOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Text from people is one line in a log, so that it cannot look like a line of its own. */
export function oneLine(text: string): string {
  return text.replaceAll(unseen, signOf);
}

/** Every log that staff read as text is written by this function. */
export function textLog(lines: readonly TextLogLine[]): string {
  return lines.map(({ at, actor, text }) => oneLine(`${at} ${actor}: ${text}`)).join('\n');
}
