import { type Logger, pino } from 'pino';

export interface KeptLogLine {
  level: number;
  msg: string;
  [field: string]: unknown;
}

/** A logger whose lines a test can read. */
export function keptLog(): { log: Logger; lines: KeptLogLine[] } {
  const lines: KeptLogLine[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as KeptLogLine);
  return { log: pino({ level: 'info', base: null }, { write }), lines };
}
