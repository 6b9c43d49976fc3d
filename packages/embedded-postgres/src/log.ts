/** What we need of a logger; pino's fits. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}
