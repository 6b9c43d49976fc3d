/** The part of a logger that this package uses; pino implements it. */
export interface ClusterLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
