/** Formats one line of output for people: pino's JSON in short, other lines unchanged. */
export function readable(line: string): string {
  const entry = parse(line);
  if (!entry) return line;
  const { level, time, msg = '', err, pid: _, hostname: __, ...rest } = entry;
  const clock = typeof time === 'number' || typeof time === 'string' ? new Date(time).toTimeString().slice(0, 8) : '';
  const details = Object.entries(rest).map(([name, value]) => `${name}=${short(value)}`);
  const text = [clock, levels[String(level)] ?? level, msg, ...details].filter((word) => word !== '').join(' ');
  return `${text}${errorText(err)}`;
}

/** The normal level is not shown. */
const levels: Record<string, string> = { 10: 'trace', 20: 'debug', 30: '', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

function parse(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && 'level' in value ? value : null;
  } catch {
    return null;
  }
}

function errorText(error: unknown): string {
  if (!isRecord(error)) return '';
  return `\n${error.stack ?? error.message ?? JSON.stringify(error)}`;
}

function short(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a line that a person should see at once: a warning or an error. */
export function isWarning(line: string): boolean {
  const level = parse(line)?.level;
  return typeof level === 'number' && level >= 40;
}

/** The message of a log line; null for other lines. */
export function messageOf(line: string): string | null {
  const message = parse(line)?.msg;
  return typeof message === 'string' ? message : null;
}
